package dev.keelson.http;

import java.util.ArrayList;
import java.util.List;

/**
 * An HTTP response.
 *
 * @param status the HTTP code
 * @param headers the headers in order; a name may repeat
 */
public record ApiResponse(int status, List<Header> headers, Body body) {

  /** A header. */
  public record Header(String name, String value) {}

  public ApiResponse {
    headers = List.copyOf(headers);
  }

  /** Creates a response with a body of a media type. */
  public static ApiResponse of(int status, String contentType, byte[] body) {
    return of(status, contentType, Body.Payload.of(body));
  }

  /** Creates a response with a body of a media type. */
  public static ApiResponse of(int status, String contentType, Body body) {
    return new ApiResponse(status, List.of(new Header("Content-Type", contentType)), body);
  }

  /** Returns this response with one more header. */
  public ApiResponse with(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new ApiResponse(status, more, body);
  }

  /**
   * The bytes of a complete body.
   *
   * @throws IllegalStateException if the body is streamed or long-running
   */
  public Body.Payload payload() {
    if (body instanceof Body.Payload payload) {
      return payload;
    }
    throw new IllegalStateException("the body is streamed");
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
