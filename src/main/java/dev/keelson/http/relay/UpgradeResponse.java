package dev.keelson.http.relay;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The head of a response to a request for another protocol, and a short body if the server refuses
 * (RFC 9112, sections 4 to 6, without chunks). Confined to one thread.
 */
final class UpgradeResponse {

  private static final int MOST_HEAD = 64 * 1024;
  private static final int MOST_BODY = 1024 * 1024;
  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = {};

  private final Buffer bytes = Buffer.buffer();
  private final MultiMap headers = MultiMap.caseInsensitiveMultiMap();
  private int status;
  private int bodyAt = -1;
  private int bodyLength;

  /**
   * Adds what the server sent.
   *
   * @return whether the response is complete: with the status 101, its head
   * @throws IOException if it is no response, or too long
   */
  boolean add(Buffer more) throws IOException {
    bytes.appendBuffer(more);
    if (bodyAt < 0) {
      int end = headEnd();
      if (end < 0) {
        if (bytes.length() > MOST_HEAD) {
          throw new IOException("the head of the response is too long");
        }
        return false;
      }
      bodyAt = end + HEAD_END.length;
      parse(bytes.getString(0, end, StandardCharsets.ISO_8859_1.name()));
    }
    return status == 101 || bytes.length() - bodyAt >= bodyLength;
  }

  private int headEnd() {
    for (int i = 0; i + HEAD_END.length <= bytes.length(); i++) {
      int matched = 0;
      while (matched < HEAD_END.length && bytes.getByte(i + matched) == HEAD_END[matched]) {
        matched++;
      }
      if (matched == HEAD_END.length) {
        return i;
      }
    }
    return -1;
  }

  private void parse(String head) throws IOException {
    String[] lines = head.split("\r\n", -1);
    String[] first = lines[0].split(" ", 3);
    if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("[1-9][0-9]{2}")) {
      throw new IOException("malformed HTTP response \"" + lines[0] + "\"");
    }
    status = Integer.parseInt(first[1]);
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon <= 0 || lines[i].chars().anyMatch(UpgradeResponse::isControl)) {
        throw new IOException("malformed header in the response");
      }
      headers.add(lines[i].substring(0, colon), lines[i].substring(colon + 1).strip());
    }
    String length = headers.get("Content-Length");
    if (length != null && length.matches("[0-9]{1,7}")) {
      bodyLength = Math.min(Integer.parseInt(length), MOST_BODY);
    }
  }

  /** What may not stand in a header, among it the end of a line (RFC 9110, section 5.5). */
  private static boolean isControl(int letter) {
    return (letter < ' ' && letter != '\t') || letter == 0x7f;
  }

  int status() {
    return status;
  }

  MultiMap headers() {
    return headers;
  }

  /** The body of a refusal; empty if its length is not known. */
  byte[] body() {
    return bodyLength == 0 ? NOTHING : bytes.getBytes(bodyAt, bodyAt + bodyLength);
  }

  /** What the server sent in the new protocol already. */
  Buffer rest() {
    return bytes.getBuffer(bodyAt, bytes.length());
  }
}
