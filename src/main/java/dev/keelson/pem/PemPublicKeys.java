package dev.keelson.pem;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1BitString;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.ec.CustomNamedCurves;

/** Public keys in PEM, and the public halves of private ones. */
public final class PemPublicKeys {

  private static final String SPKI = "PUBLIC KEY";
  private static final String PKCS1 = "RSA PUBLIC KEY";

  private PemPublicKeys() {}

  /**
   * Every key of a file, at least one: public keys, and those of certificates and of private keys
   * that are not encrypted. Other blocks are skipped.
   *
   * @throws PemException naming the file, if there is none or one cannot be read
   */
  public static List<PublicKey> read(Path file) {
    return parse(file.toString(), PemFiles.read(file));
  }

  /**
   * Every key of a text, as {@link #read}.
   *
   * @param source where the text is from, for errors
   * @throws PemException if there is none or one cannot be read
   */
  public static List<PublicKey> parse(String source, String text) {
    List<PublicKey> keys = new ArrayList<>();
    for (PemBlock block : PemBlocks.in(text)) {
      if (!block.isEncrypted() && isKey(block)) {
        keys.add(Decoding.decode(source, "a key", () -> decode(block)));
      }
    }
    if (keys.isEmpty()) {
      throw new PemException(source + " holds no key in PEM");
    }
    return keys;
  }

  private static boolean isKey(PemBlock block) {
    return switch (block.type()) {
      case SPKI, PKCS1, PemCertificates.TYPE -> true;
      default -> PemPrivateKeys.isKey(block);
    };
  }

  private static PublicKey decode(PemBlock block) throws IOException, GeneralSecurityException {
    return switch (block.type()) {
      case SPKI -> ofAny(SubjectPublicKeyInfo.getInstance(block.der()));
      case PKCS1 -> ofAny(ofRsa(block.der()));
      case PemCertificates.TYPE -> PemCertificates.decode(block.der()).getPublicKey();
      default -> halfOf(PemPrivateKeys.decode(block));
    };
  }

  private static PublicKey ofAny(SubjectPublicKeyInfo key)
      throws IOException, GeneralSecurityException {
    return Decoding.factory(key.getAlgorithm())
        .generatePublic(new X509EncodedKeySpec(key.getEncoded(ASN1Encoding.DER)));
  }

  private static SubjectPublicKeyInfo ofRsa(byte[] pkcs1) throws IOException {
    return new SubjectPublicKeyInfo(
        new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
        RSAPublicKey.getInstance(pkcs1));
  }

  /**
   * The first private key of a file with its public half: the one that the file has beside the
   * private one (SEC 1, see {@link PemPrivateKeys#textForClients}), which is taken to fit, else a
   * computed one.
   *
   * @throws PemException naming the file, if there is no key or it cannot be read
   */
  public static KeyPair pair(Path file) {
    String source = file.toString();
    String text = PemFiles.read(file);
    PrivateKey key = PemPrivateKeys.parse(source, text);
    for (PemBlock block : PemBlocks.in(text)) {
      if (block.type().equals(PemPrivateKeys.SEC1) && !block.isEncrypted()) {
        Optional<PublicKey> half =
            Decoding.decode(source, "the private key", () -> written(block.der()));
        if (half.isPresent()) {
          return new KeyPair(half.get(), key);
        }
      }
    }
    return new KeyPair(halfOf(key), key);
  }

  private static Optional<PublicKey> written(byte[] sec1)
      throws IOException, GeneralSecurityException {
    ECPrivateKey key = ECPrivateKey.getInstance(sec1);
    ASN1BitString half = key.getPublicKey();
    ASN1Object curve = key.getParametersObject();
    return half == null || curve == null
        ? Optional.empty()
        : Optional.of(
            ofAny(
                new SubjectPublicKeyInfo(
                    new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve),
                    half.getBytes())));
  }

  /**
   * The public half of a private key.
   *
   * @throws PemException if it is neither RSA nor EC on one of the three common curves
   */
  public static PublicKey halfOf(PrivateKey key) {
    try {
      return switch (key) {
        case RSAPrivateCrtKey rsa ->
            KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
        case java.security.interfaces.ECPrivateKey ec ->
            KeyFactory.getInstance("EC").generatePublic(point(ec));
        default -> throw new PemException("a key of type " + key.getAlgorithm());
      };
    } catch (GeneralSecurityException e) {
      throw new PemException("a private key has no public half: " + e.getMessage(), e);
    }
  }

  private static ECPublicKeySpec point(java.security.interfaces.ECPrivateKey key) {
    int bits = key.getParams().getOrder().bitLength();
    var curve = CustomNamedCurves.getByName("secp" + bits + "r1");
    if (curve == null || !curve.getN().equals(key.getParams().getOrder())) {
      throw new PemException("an EC key on another curve than P-256, P-384 and P-521");
    }
    var point = curve.getG().multiply(key.getS()).normalize();
    return new ECPublicKeySpec(
        new ECPoint(point.getAffineXCoord().toBigInteger(), point.getAffineYCoord().toBigInteger()),
        key.getParams());
  }
}
