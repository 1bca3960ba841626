package dev.keelson.storage.etcd;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Private keys in PEM. The JDK reads PKCS#8 only; the older forms hold the same key without the
 * wrapping that says what kind it is (RFC 8017 appendix A.1.2, RFC 5915), so we put it around.
 */
final class PrivateKeys {

  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----([^-]+)-----END \\1-----");

  private static final byte INTEGER = 0x02;
  private static final byte OCTET_STRING = 0x04;
  private static final byte OBJECT_IDENTIFIER = 0x06;
  private static final byte SEQUENCE = 0x30;

  /** The tag of an EC key's curve within the key. */
  private static final byte PARAMETERS = (byte) 0xa0;

  private static final byte[] VERSION_0 = {INTEGER, 1, 0};

  /** rsaEncryption, 1.2.840.113549.1.1.1, with the NULL that follows it. */
  private static final byte[] RSA = {
    OBJECT_IDENTIFIER, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
  };

  /** id-ecPublicKey, 1.2.840.10045.2.1. */
  private static final byte[] EC = {
    OBJECT_IDENTIFIER, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1
  };

  private PrivateKeys() {}

  /**
   * The first private key in {@code pem}; other blocks, such as EC parameters, are passed over.
   *
   * @throws IllegalArgumentException if there is none, or it is not well-formed
   * @throws GeneralSecurityException if it is of a kind that the JDK does not know
   */
  static PrivateKey parse(String pem) throws GeneralSecurityException {
    Matcher block = PEM.matcher(pem);
    if (!block.find()) {
      throw new IllegalArgumentException(
          pem.contains("ENCRYPTED") ? "the key is encrypted" : "it has no private key in PEM");
    }
    byte[] der = Base64.getMimeDecoder().decode(block.group(2));
    return switch (block.group(1)) {
      case "RSA PRIVATE KEY" -> of("RSA", wrap(RSA, der));
      case "EC PRIVATE KEY" -> of("EC", wrap(concat(EC, curve(der)), der));
      default -> ofAnyKind(der);
    };
  }

  private static PrivateKey ofAnyKind(byte[] pkcs8) throws GeneralSecurityException {
    InvalidKeySpecException failure = new InvalidKeySpecException("neither RSA, EC nor EdDSA");
    for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
      try {
        return of(algorithm, pkcs8);
      } catch (InvalidKeySpecException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }

  private static PrivateKey of(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  private static byte[] wrap(byte[] algorithm, byte[] key) {
    byte[] content = concat(VERSION_0, element(SEQUENCE, algorithm), element(OCTET_STRING, key));
    return element(SEQUENCE, content);
  }

  /** The object identifier of the curve, from the parameters in an EC key. */
  private static byte[] curve(byte[] key) {
    int at = content(key, 0, SEQUENCE);
    at = end(key, at, INTEGER);
    at = end(key, at, OCTET_STRING);
    int inner = content(key, at, PARAMETERS);
    int end = end(key, inner, OBJECT_IDENTIFIER);
    return java.util.Arrays.copyOfRange(key, inner, end);
  }

  /** Where the content of the element at {@code at} begins. */
  private static int content(byte[] der, int at, byte tag) {
    if (at + 2 > der.length || der[at] != tag) {
      throw new IllegalArgumentException("the key is not well-formed, or does not name its curve");
    }
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first - 0x80);
  }

  /** Where the element at {@code at} ends. */
  private static int end(byte[] der, int at, byte tag) {
    int content = content(der, at, tag);
    int length = der[at + 1] & 0xff;
    if (length >= 0x80) {
      length = 0;
      for (int i = at + 2; i < content && i < der.length; i++) {
        length = length << 8 | (der[i] & 0xff);
      }
    }
    if (length < 0 || length > der.length - content) {
      throw new IllegalArgumentException("the key is cut off");
    }
    return content + length;
  }

  private static byte[] element(byte tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else if (content.length < 0x100) {
      out.write(0x81);
      out.write(content.length);
    } else {
      out.write(0x82);
      out.write(content.length >> 8);
      out.write(content.length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
