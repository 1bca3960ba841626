package dev.keelson.storage.etcd;

import dev.keelson.storage.StorageException;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;

/** Reads the files of {@link EtcdTls}. */
final class TlsFiles {

  private TlsFiles() {}

  /**
   * What a connection to etcd is secured with.
   *
   * @throws StorageException.Unavailable if a file cannot be read or does not hold what it should
   */
  static SslContext context(EtcdTls tls) {
    SslContextBuilder builder = GrpcSslContexts.forClient();
    Path caFile = tls.caFile();
    if (caFile != null) {
      builder.trustManager(certificates(caFile));
    }
    Path certFile = tls.certFile();
    Path keyFile = tls.keyFile();
    if (certFile != null && keyFile != null) {
      try {
        builder.keyManager(PrivateKeys.parse(Files.readString(keyFile)), certificates(certFile));
      } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
        throw unusable("private key", keyFile, e);
      }
    }
    try {
      return builder.build();
    } catch (SSLException e) {
      throw new StorageException.Unavailable("cannot use the files for TLS to etcd: " + tls, e);
    }
  }

  private static X509Certificate[] certificates(Path file) {
    try {
      List<X509Certificate> found = new ArrayList<>();
      CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)))
          .forEach(certificate -> found.add((X509Certificate) certificate));
      if (found.isEmpty()) {
        throw new CertificateException("it has no certificate");
      }
      return found.toArray(X509Certificate[]::new);
    } catch (IOException | CertificateException e) {
      throw unusable("certificates", file, e);
    }
  }

  private static StorageException unusable(String what, Path file, Exception cause) {
    return new StorageException.Unavailable(
        "cannot read %s for etcd from %s: %s".formatted(what, file, cause), cause);
  }
}
