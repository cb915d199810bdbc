//! Encryption with proof of the server's name. There is no switch to do without the proof (SEC-15).
//!
//! Knows whom to trust: the system's authorities, or the one the admin names and nobody else; refuses to know what is
//! spoken.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rustls_platform_verifier::BuilderVerifierExt;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{CertificateError, ClientConfig, Error, RootCertStore};

use super::stream::{Duplex, Stream, place};
use super::{Server, WireError};

/// Encrypts a fresh connection.
///
/// Trust is read anew for each connection, so that a renewed `ca_file` needs no restart.
pub(super) async fn encrypt(
    server: &Server,
    stream: Box<dyn Duplex>,
    limit: Duration,
) -> Result<Stream, WireError> {
    let place = place(server);
    let config = match &server.ca_file {
        Some(file) => trust_only(file).map_err(|text| WireError::tls(&place, text))?,
        None => trust_system().map_err(|error| {
            let text = format!(
                "the authorities this system trusts cannot be read ({error}); install \
                 ca-certificates or set ca_file"
            );
            WireError::tls(&place, text)
        })?,
    };
    let name = ServerName::try_from(server.host.clone())
        .map_err(|_| WireError::tls(&place, "host is no name that a certificate can prove"))?;
    let shake = TlsConnector::from(Arc::new(config)).connect(name, stream);
    match timeout(limit, shake).await {
        Err(_) => Err(WireError::timeout(&place, "the start of encryption", limit)),
        Ok(Err(error)) => Err(explain(&place, &error)),
        Ok(Ok(stream)) => Ok(Stream::Tls(Box::new(stream))),
    }
}

fn trust_system() -> Result<ClientConfig, Error> {
    Ok(
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_platform_verifier()?
            .with_no_client_auth(),
    )
}

fn trust_only(file: &Path) -> Result<ClientConfig, String> {
    let unfit = |error: &dyn std::fmt::Display| {
        format!(
            "ca_file {} is no certificate in PEM form ({error})",
            file.display()
        )
    };
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| unfit(&error))? {
        roots
            .add(certificate.map_err(|error| unfit(&error))?)
            .map_err(|error| unfit(&error))?;
    }
    if roots.is_empty() {
        return Err(unfit(&"it holds none"));
    }
    Ok(
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth(),
    )
}

/// What failed, and what helps.
fn explain(place: &str, error: &io::Error) -> WireError {
    let Some(cause) = error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<Error>())
    else {
        // The server hung up: it may be restarting, or it may not speak TLS here.
        let text = format!("the start of encryption failed ({error}); check port and security");
        return WireError::temporary(place, text);
    };
    let advice = match cause {
        Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            "its certificate is vouched for by nobody who is trusted here; if the server is yours, name its \
             authority in ca_file"
        }
        Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => "its certificate is made out to another name; set host to the name in the certificate",
        Error::InvalidCertificate(
            CertificateError::Expired | CertificateError::ExpiredContext { .. },
        ) => "its certificate has expired; whoever runs the server must renew it",
        Error::InvalidMessage(_) => {
            "it does not speak TLS on this port; check port, or set security = \"starttls\""
        }
        _ => "encryption could not be agreed on; whoever runs the server must look into it",
    };
    WireError::tls(place, format_args!("{advice} ({cause})"))
}
