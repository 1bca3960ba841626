package dev.keelson.schema.openapi;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A document as bytes.
 *
 * @param body shared between callers and never changed
 * @param hash upper-case hexadecimal SHA-512; of a v3 document's JSON for both of its formats, so
 *     that one URL serves both
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; a copy would cost megabytes
public record OpenApiDocument(byte[] body, String hash) {

  /** How a document is written. */
  public enum Format {
    JSON,
    /** The messages of gnostic's OpenAPIv2.proto or OpenAPIv3.proto. */
    PROTOBUF
  }

  /** The URL of a v3 document that may be cached for ever: it changes with the document. */
  public static String url(String name, String hash) {
    return "/openapi/v3/" + name + "?hash=" + hash;
  }

  /** A document with the hash of its own bytes. */
  static OpenApiDocument of(byte[] body) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-512").digest(body);
      return new OpenApiDocument(body, HexFormat.of().withUpperCase().formatHex(digest));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-512", impossible);
    }
  }
}
