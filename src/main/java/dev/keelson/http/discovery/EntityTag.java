package dev.keelson.http.discovery;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body.Payload;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Entity tags as in Kubernetes: the upper-case SHA-512 of the body in quotes. */
final class EntityTag {

  private EntityTag() {}

  /** The strong tag of {@code body}, with its quotes. */
  static String of(byte[] body) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-512").digest(body);
      return '"' + HexFormat.of().withUpperCase().formatHex(digest) + '"';
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-512", impossible);
    }
  }

  /**
   * Whether an If-None-Match header names {@code tag}, by the weak comparison of RFC 9110, section
   * 13.1.2.
   *
   * @param ifNoneMatch the header's value, empty if there is none
   */
  static boolean matches(String ifNoneMatch, String tag) {
    for (String element : ifNoneMatch.split(",", -1)) {
      String candidate = element.strip();
      if (candidate.equals("*") || candidate.equals(tag) || candidate.equals("W/" + tag)) {
        return true;
      }
    }
    return false;
  }

  /** The 304 response to a client that has the body. */
  static ApiResponse notModified(ApiResponse answer) {
    return new ApiResponse(304, answer.headers(), Payload.EMPTY);
  }
}
