package dev.keelson.http;

import java.util.ArrayList;
import java.util.List;

/**
 * What a request is answered with.
 *
 * @param status the HTTP code
 * @param headers header lines in order; a name may repeat
 * @param body the body
 */
public record ApiResponse(int status, List<Header> headers, Body body) {

  /** A header line. */
  public record Header(String name, String value) {}

  public ApiResponse {
    headers = List.copyOf(headers);
  }

  /** A body of a media type. */
  public static ApiResponse of(int status, String contentType, byte[] body) {
    return of(status, contentType, Body.Payload.of(body));
  }

  /** A body of a media type. */
  public static ApiResponse of(int status, String contentType, Body body) {
    return new ApiResponse(status, List.of(new Header("Content-Type", contentType)), body);
  }

  /** The same with one more header line. */
  public ApiResponse with(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new ApiResponse(status, more, body);
  }

  /**
   * The bytes of a body that is complete.
   *
   * @throws IllegalStateException if it is made while it is sent
   */
  public Body.Payload payload() {
    if (body instanceof Body.Payload payload) {
      return payload;
    }
    throw new IllegalStateException("the body is not complete before it is sent");
  }

  /** The first value of the header, or empty. */
  public String header(String name) {
    for (Header header : headers) {
      if (header.name().equalsIgnoreCase(name)) {
        return header.value();
      }
    }
    return "";
  }
}
