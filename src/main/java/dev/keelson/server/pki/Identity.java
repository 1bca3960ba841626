package dev.keelson.server.pki;

import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemException;
import dev.keelson.pem.PemPrivateKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
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

  /**
   * Reads both from their files.
   *
   * @throws PkiException naming the file that cannot be used
   */
  public static Identity read(Path key, Path chain) {
    try {
      return new Identity(PemPrivateKeys.read(key), PemCertificates.read(chain));
    } catch (PemException e) {
      throw new PkiException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Whether the key is the one that the certificate names. */
  public boolean matches() {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    byte[] probe = "keelson".getBytes(StandardCharsets.UTF_8);
    try {
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(probe);
      byte[] signature = signer.sign();
      signer.initVerify(certificate().getPublicKey());
      signer.update(probe);
      return signer.verify(signature);
    } catch (GeneralSecurityException e) {
      // a key and a certificate of different algorithms
      return false;
    }
  }

  /** The key's own certificate. */
  public X509Certificate certificate() {
    return chain.getFirst();
  }
}
