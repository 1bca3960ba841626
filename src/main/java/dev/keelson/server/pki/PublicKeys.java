package dev.keelson.server.pki;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Public keys in PEM, and the public halves of private ones. */
public final class PublicKeys {

  private PublicKeys() {}

  /**
   * Every key of a file: public keys, certificates and private keys, at least one.
   *
   * @throws PkiException naming the file, if there is none or one cannot be read
   */
  public static List<PublicKey> read(Path file) {
    List<PublicKey> keys = new ArrayList<>();
    try (PEMParser parser =
        new PEMParser(new StringReader(Files.readString(file, StandardCharsets.ISO_8859_1)))) {
      JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
      for (Object block = parser.readObject(); block != null; block = parser.readObject()) {
        switch (block) {
          case SubjectPublicKeyInfo key -> keys.add(converter.getPublicKey(key));
          case X509CertificateHolder certificate ->
              keys.add(
                  new JcaX509CertificateConverter().getCertificate(certificate).getPublicKey());
          case PEMKeyPair pair ->
              keys.add(halfOf(converter.getPrivateKey(pair.getPrivateKeyInfo())));
          case PrivateKeyInfo key -> keys.add(halfOf(converter.getPrivateKey(key)));
          default -> {
            // parameters of a curve may stand before a key
          }
        }
      }
    } catch (IOException | CertificateException e) {
      throw new PkiException(file + ": a key cannot be read: " + e.getMessage(), e);
    }
    if (keys.isEmpty()) {
      throw new PkiException(file + " holds no key in PEM", null);
    }
    return keys;
  }

  /**
   * The public half of a private key.
   *
   * @throws PkiException if it is neither RSA nor EC on one of the three common curves
   */
  public static PublicKey halfOf(PrivateKey key) {
    try {
      return switch (key) {
        case RSAPrivateCrtKey rsa ->
            KeyFactory.getInstance("RSA")
                .generatePublic(new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent()));
        case ECPrivateKey ec -> KeyFactory.getInstance("EC").generatePublic(point(ec));
        default -> throw new PkiException("a key of type " + key.getAlgorithm(), null);
      };
    } catch (GeneralSecurityException e) {
      throw new PkiException("a private key has no public half: " + e.getMessage(), e);
    }
  }

  private static ECPublicKeySpec point(ECPrivateKey key) {
    int bits = key.getParams().getOrder().bitLength();
    var curve = CustomNamedCurves.getByName("secp" + bits + "r1");
    if (curve == null || !curve.getN().equals(key.getParams().getOrder())) {
      throw new PkiException("an EC key on another curve than P-256, P-384 and P-521", null);
    }
    var point = curve.getG().multiply(key.getS()).normalize();
    return new ECPublicKeySpec(
        new ECPoint(point.getAffineXCoord().toBigInteger(), point.getAffineYCoord().toBigInteger()),
        key.getParams());
  }
}
