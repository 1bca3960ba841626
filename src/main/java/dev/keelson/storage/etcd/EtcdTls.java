package dev.keelson.storage.etcd;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files for TLS to etcd, all in PEM.
 *
 * @param caFile the certificates that etcd's own must come from; null means those the JVM trusts
 * @param certFile this client's certificate and those it comes from; null for none
 * @param keyFile the key of {@code certFile}, not encrypted, as PKCS#8, PKCS#1 or SEC 1 (EC); null
 *     exactly if {@code certFile} is
 */
public record EtcdTls(@Nullable Path caFile, @Nullable Path certFile, @Nullable Path keyFile) {

  /** No files: the JVM's trusted certificates, and no certificate of our own. */
  public static final EtcdTls NONE = new EtcdTls(null, null, null);

  public EtcdTls {
    if ((certFile == null) != (keyFile == null)) {
      throw new IllegalArgumentException(
          "a client certificate and its key go together; certificate=%s key=%s"
              .formatted(certFile, keyFile));
    }
  }
}
