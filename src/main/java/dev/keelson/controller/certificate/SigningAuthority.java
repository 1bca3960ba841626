package dev.keelson.controller.certificate;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/**
 * The key and the certificate of a certificate authority.
 *
 * @param key EC, RSA or Ed25519
 */
public record SigningAuthority(PrivateKey key, X509Certificate certificate) {

  /** Where an authority is read for each certificate, so that a new one is used at once. */
  @FunctionalInterface
  public interface Source {
    /**
     * The authority.
     *
     * @throws RuntimeException if it cannot be read; the request is tried again later
     */
    SigningAuthority authority();
  }
}
