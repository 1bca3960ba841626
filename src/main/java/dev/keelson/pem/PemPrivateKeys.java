package dev.keelson.pem;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * Private keys in PEM, not encrypted: PKCS #8 (RFC 5958) and the older forms of one algorithm each,
 * PKCS #1 for RSA (RFC 8017, appendix A.1.2) and SEC 1 for EC (RFC 5915). EC, RSA and Ed25519.
 */
public final class PemPrivateKeys {

  private static final String PKCS8 = "PRIVATE KEY";
  private static final String PKCS1 = "RSA PRIVATE KEY";
  static final String SEC1 = "EC PRIVATE KEY";
  private static final String ENCRYPTED = "ENCRYPTED PRIVATE KEY";

  private PemPrivateKeys() {}

  /**
   * The first private key of a file.
   *
   * @throws PemException naming the file, if there is none or it cannot be read
   */
  public static PrivateKey read(Path file) {
    return parse(file.toString(), PemFiles.read(file));
  }

  /**
   * The first private key of a text; other blocks, such as certificates and EC parameters, are
   * skipped.
   *
   * @param source where the text is from, for errors
   * @throws PemException if there is none, it is encrypted or it cannot be read
   */
  public static PrivateKey parse(String source, String text) {
    for (PemBlock block : PemBlocks.in(text)) {
      if (isKey(block) || block.type().equals(ENCRYPTED)) {
        if (block.isEncrypted()) {
          throw new PemException(source + ": the key is encrypted, which is not supported");
        }
        return Decoding.decode(source, "the private key", () -> decode(block));
      }
    }
    throw new PemException(source + " holds no private key in PEM");
  }

  /** Whether a block's type is one of the three forms. */
  static boolean isKey(PemBlock block) {
    return switch (block.type()) {
      case PKCS8, PKCS1, SEC1 -> true;
      default -> false;
    };
  }

  /** The key in a block of which {@link #isKey} is true and that is not encrypted. */
  static PrivateKey decode(PemBlock block) throws IOException, GeneralSecurityException {
    PrivateKeyInfo key =
        switch (block.type()) {
          case PKCS1 -> ofRsa(block.der());
          case SEC1 -> ofEc(block.der());
          default -> ofAny(block.der());
        };
    return Decoding.factory(key.getPrivateKeyAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded(ASN1Encoding.DER)));
  }

  private static PrivateKeyInfo ofAny(byte[] pkcs8) {
    try {
      return PrivateKeyInfo.getInstance(pkcs8);
    } catch (RuntimeException e) {
      throw new PemException(Decoding.UNKNOWN_ALGORITHM, e);
    }
  }

  private static PrivateKeyInfo ofRsa(byte[] pkcs1) throws IOException {
    return new PrivateKeyInfo(
        new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
        RSAPrivateKey.getInstance(pkcs1));
  }

  private static PrivateKeyInfo ofEc(byte[] sec1) throws IOException {
    var key = org.bouncycastle.asn1.sec.ECPrivateKey.getInstance(sec1);
    ASN1Encodable curve =
        Optional.<ASN1Encodable>ofNullable(key.getParametersObject())
            .orElseThrow(() -> new IllegalArgumentException("it does not name its curve"));
    return new PrivateKeyInfo(
        new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve), key);
  }

  /** {@code key} in PKCS #8. */
  public static String text(PrivateKey key) {
    return new PemBlock(PKCS8, key.getEncoded()).text();
  }

  /**
   * {@code key} in SEC 1 with its public half if it is an EC key, else in PKCS #8. For clients:
   * fabric8 takes every key in PKCS #8 for an RSA key, and others want the public half.
   *
   * @param half the public half of {@code key}
   */
  public static String textForClients(PrivateKey key, PublicKey half) {
    if (!(key instanceof ECPrivateKey ec)) {
      return text(key);
    }
    SubjectPublicKeyInfo known = SubjectPublicKeyInfo.getInstance(half.getEncoded());
    var sec1 =
        new org.bouncycastle.asn1.sec.ECPrivateKey(
            ec.getParams().getOrder().bitLength(),
            ec.getS(),
            known.getPublicKeyData(),
            known.getAlgorithm().getParameters());
    try {
      return new PemBlock(SEC1, sec1.getEncoded(ASN1Encoding.DER)).text();
    } catch (IOException e) {
      throw new IllegalStateException("a key that was made can be written", e);
    }
  }
}
