package dev.keelson.schema.openapi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A document as bytes.
 *
 * @param parts the bytes in order; shared between documents and callers, and never changed
 * @param hash upper-case hexadecimal SHA-512; of a v3 document's JSON for both of its formats, so
 *     that one URL serves both. With custom resources it is that of what the document is made from
 */
public record OpenApiDocument(List<byte[]> parts, String hash) {

  /** How a document is written. */
  public enum Format {
    JSON,
    /** The messages of gnostic's OpenAPIv2.proto or OpenAPIv3.proto. */
    PROTOBUF
  }

  public OpenApiDocument {
    parts = List.copyOf(parts);
  }

  /** The URL of a v3 document that may be cached for ever: it changes with the document. */
  public static String url(String name, String hash) {
    return "/openapi/v3/" + name + "?hash=" + hash;
  }

  /** A document with the hash of its own bytes. */
  static OpenApiDocument of(List<byte[]> parts) {
    MessageDigest digest = sha512();
    parts.forEach(digest::update);
    return new OpenApiDocument(parts, hex(digest));
  }

  /** The hash of a document that is made from what {@code source} says. */
  static String hash(String source) {
    MessageDigest digest = sha512();
    digest.update(source.getBytes(StandardCharsets.UTF_8));
    return hex(digest);
  }

  private static MessageDigest sha512() {
    try {
      return MessageDigest.getInstance("SHA-512");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-512", impossible);
    }
  }

  private static String hex(MessageDigest digest) {
    return HexFormat.of().withUpperCase().formatHex(digest.digest());
  }

  /** All bytes in one new array. */
  public byte[] body() {
    int length = 0;
    for (byte[] part : parts) {
      length = Math.addExact(length, part.length);
    }
    byte[] body = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, body, at, part.length);
      at += part.length;
    }
    return body;
  }
}
