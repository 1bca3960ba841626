package dev.keelson.storage.etcd;

import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemException;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.storage.StorageException;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLException;

/** Reads the files of {@link EtcdTls}. */
final class TlsFiles {

  private TlsFiles() {}

  /**
   * The TLS context of a connection to etcd.
   *
   * @throws StorageException.Unavailable if a file cannot be read or does not hold what it should
   */
  static SslContext context(EtcdTls tls) {
    // gRPC would prefer BoringSSL, which does not verify servers with Ed25519 and P-521 keys
    SslContextBuilder builder =
        GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
    Path caFile = tls.caFile();
    if (caFile != null) {
      builder.trustManager(certificates(caFile));
    }
    Path certFile = tls.certFile();
    Path keyFile = tls.keyFile();
    if (certFile != null && keyFile != null) {
      builder.keyManager(key(keyFile), certificates(certFile));
    }
    try {
      return builder.build();
    } catch (SSLException e) {
      throw new StorageException.Unavailable("cannot use the files for TLS to etcd: " + tls, e);
    }
  }

  private static X509Certificate[] certificates(Path file) {
    try {
      return PemCertificates.read(file).toArray(X509Certificate[]::new);
    } catch (PemException e) {
      throw new StorageException.Unavailable("certificates for etcd: " + e.getMessage(), e);
    }
  }

  private static PrivateKey key(Path file) {
    try {
      return PemPrivateKeys.read(file);
    } catch (PemException e) {
      throw new StorageException.Unavailable("private key for etcd: " + e.getMessage(), e);
    }
  }
}
