package dev.keelson.pem;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Certificates and the private key of the first of them, as a server has them for TLS. Problems are
 * told in the words of Go's {@code tls.X509KeyPair}; of a certificate that cannot be read only that
 * it is malformed.
 */
public final class PemKeyPairs {

  private static final String KEY = "PRIVATE KEY";
  private static final List<String> FORMS =
      List.of("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY");
  private static final byte[] PROBE = {1};

  private PemKeyPairs() {}

  /**
   * What is wrong with a pair, empty if nothing is.
   *
   * @param certificates PEM with the certificate of the key first
   * @param keys PEM with the key
   */
  public static String problem(String certificates, String keys) {
    List<String> skipped = new ArrayList<>();
    PemBlock certificate = null;
    for (PemBlock block : PemBlocks.in(certificates)) {
      if (!block.type().equals(PemCertificates.TYPE)) {
        skipped.add(block.type());
      } else if (certificate == null) {
        certificate = block;
      }
    }
    return certificate == null ? noCertificate(skipped) : problem(certificate, keys);
  }

  private static String noCertificate(List<String> skipped) {
    if (skipped.isEmpty()) {
      return "tls: failed to find any PEM data in certificate input";
    }
    if (skipped.size() == 1 && skipped.getFirst().endsWith(KEY)) {
      return "tls: failed to find certificate PEM data in certificate input, but did find a private"
          + " key; PEM inputs may have been switched";
    }
    return "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM"
        + " blocks of the following types: "
        + goList(skipped);
  }

  private static String problem(PemBlock certificate, String keys) {
    List<String> skipped = new ArrayList<>();
    for (PemBlock block : PemBlocks.in(keys)) {
      if (block.type().equals(KEY) || block.type().endsWith(" " + KEY)) {
        return problem(certificate, block);
      }
      skipped.add(block.type());
    }
    if (skipped.isEmpty()) {
      return "tls: failed to find any PEM data in key input";
    }
    if (skipped.equals(List.of(PemCertificates.TYPE))) {
      return "tls: found a certificate rather than a key in the PEM for the private key";
    }
    return "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after"
        + " skipping PEM blocks of the following types: "
        + goList(skipped);
  }

  private static String problem(PemBlock certificate, PemBlock block) {
    PublicKey half;
    try {
      half = PemCertificates.decode(certificate.der()).getPublicKey();
    } catch (CertificateException e) {
      // the caller asks what is wrong
      return "x509: malformed certificate";
    }
    PrivateKey key = key(block.der());
    if (key == null) {
      return "tls: failed to parse private key";
    }
    String signatures = signatures(half.getAlgorithm());
    if (signatures.isEmpty()) {
      return "tls: unknown public key algorithm";
    }
    if (!signatures.equals(signatures(key.getAlgorithm()))) {
      return "tls: private key type does not match public key type";
    }
    return fits(key, half, signatures) ? "" : "tls: private key does not match public key";
  }

  /** The key in one of the three forms, whatever the type of its block says; null if in none. */
  private static @Nullable PrivateKey key(byte[] der) {
    for (String form : FORMS) {
      PrivateKey key = key(form, der);
      if (key != null) {
        return key;
      }
    }
    return null;
  }

  private static @Nullable PrivateKey key(String form, byte[] der) {
    try {
      return PemPrivateKeys.decode(new PemBlock(form, der));
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      // not in this form; Bouncy Castle has runtime exceptions of many kinds for malformed ASN.1
      return null;
    }
  }

  /** The name of the signatures that a kind of key makes, empty for an unknown kind. */
  private static String signatures(String algorithm) {
    return switch (algorithm) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      case "EdDSA", "Ed25519" -> "Ed25519";
      default -> "";
    };
  }

  /** Whether what the key signs is what its half verifies. */
  private static boolean fits(PrivateKey key, PublicKey half, String signatures) {
    try {
      Signature signature = Signature.getInstance(signatures);
      signature.initSign(key);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(half);
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      // keys of different sizes or curves make what the other cannot verify
      return false;
    }
  }

  private static String goList(List<String> types) {
    return "[" + String.join(" ", types) + "]";
  }
}
