package dev.keelson.pem;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;

/** Decodes the content of a block; whatever is wrong with it becomes a {@link PemException}. */
final class Decoding {

  static final String UNKNOWN_ALGORITHM = "the key is neither EC, RSA nor Ed25519";

  private Decoding() {}

  /** Makes an object of some DER. */
  @FunctionalInterface
  interface Decoder<T extends Object> {
    T decode() throws IOException, GeneralSecurityException;
  }

  /**
   * Runs a decoder.
   *
   * @param source where the block is from, for errors
   * @param what what the decoder makes, for errors
   */
  static <T extends Object> T decode(String source, String what, Decoder<T> decoder) {
    try {
      return decoder.decode();
    } catch (PemException e) {
      throw new PemException(source + ": " + e.getMessage(), e);
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      // Bouncy Castle has runtime exceptions of many kinds for malformed ASN.1
      throw new PemException(source + ": " + what + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** The JDK's factory for keys of an algorithm; a PemException without source if unsupported. */
  static KeyFactory factory(AlgorithmIdentifier algorithm) {
    String name =
        switch (algorithm.getAlgorithm().getId()) {
          case "1.2.840.10045.2.1" -> "EC";
          case "1.2.840.113549.1.1.1" -> "RSA";
          case "1.3.101.112" -> "Ed25519";
          default -> throw new PemException(UNKNOWN_ALGORITHM);
        };
    try {
      return KeyFactory.getInstance(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + name, e);
    }
  }
}
