package dev.keelson.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequestBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** Requests for certificates, as {@code spec.request} has them. */
public final class CertificateRequests {

  private CertificateRequests() {}

  /** A new EC key. */
  public static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A request of a key, in base64. */
  public static String request(KeyPair keys, String subject, GeneralName... names) {
    return request(keys, keys, subject, List.of(names));
  }

  /**
   * A request in base64.
   *
   * @param signer signs the request, rightly with {@code keys}
   */
  public static String request(
      KeyPair keys, KeyPair signer, String subject, List<GeneralName> names) {
    try {
      PKCS10CertificationRequestBuilder builder =
          new JcaPKCS10CertificationRequestBuilder(new X500Name(subject), keys.getPublic());
      if (!names.isEmpty()) {
        ExtensionsGenerator extensions = new ExtensionsGenerator();
        extensions.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(names.toArray(GeneralName[]::new)));
        builder.addAttribute(
            PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate());
      }
      byte[] der =
          builder
              .build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate()))
              .getEncoded();
      StringWriter text = new StringWriter();
      try (PemWriter writer = new PemWriter(text)) {
        writer.writeObject(new PemObject("CERTIFICATE REQUEST", der));
      }
      return Base64.getEncoder()
          .encodeToString(text.toString().getBytes(StandardCharsets.US_ASCII));
    } catch (IOException | OperatorCreationException e) {
      throw new AssertionError(e);
    }
  }
}
