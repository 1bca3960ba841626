package dev.keelson.server.pki;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A private key and the certificates that go with it.
 *
 * @param chain the key's own certificate, then its intermediates
 */
public record Identity(PrivateKey key, List<X509Certificate> chain) {

  public Identity {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("a key without a certificate");
    }
  }

  /** The key's own certificate. */
  public X509Certificate certificate() {
    return chain.getFirst();
  }
}
