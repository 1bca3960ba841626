package dev.keelson.server.pki;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.RuntimeOperatorException;

/**
 * Signs a certificate with SHA-256 by an EC or RSA key. Bouncy Castle's own builder of signers
 * makes tables of all algorithms that it knows, some twenty classes, to find the identifier of one.
 */
final class KeySigner implements ContentSigner {

  /** RFC 5758, section 3.2: without parameters. */
  private static final AlgorithmIdentifier ECDSA =
      new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);

  /** RFC 4055, section 5: with parameters that are NULL. */
  private static final AlgorithmIdentifier RSA =
      new AlgorithmIdentifier(PKCSObjectIdentifiers.sha256WithRSAEncryption, DERNull.INSTANCE);

  private final AlgorithmIdentifier algorithm;
  private final Signature signature;
  private final ByteArrayOutputStream content = new ByteArrayOutputStream();

  private KeySigner(AlgorithmIdentifier algorithm, Signature signature) {
    this.algorithm = algorithm;
    this.signature = signature;
  }

  /**
   * A signer by this key.
   *
   * @throws GeneralSecurityException if the key is neither EC nor RSA
   */
  static KeySigner of(PrivateKey key) throws GeneralSecurityException {
    boolean rsa = key.getAlgorithm().equals("RSA");
    Signature signature = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
    signature.initSign(key);
    return new KeySigner(rsa ? RSA : ECDSA, signature);
  }

  @Override
  public AlgorithmIdentifier getAlgorithmIdentifier() {
    return algorithm;
  }

  @Override
  public OutputStream getOutputStream() {
    return content;
  }

  @Override
  public byte[] getSignature() {
    try {
      signature.update(content.toByteArray());
      return signature.sign();
    } catch (SignatureException e) {
      throw new RuntimeOperatorException("cannot sign: " + e.getMessage(), e);
    }
  }
}
