package dev.keelson.http.discovery;

import java.util.Map;

/**
 * A whole answer to a request.
 *
 * @param status the HTTP status code
 * @param headers headers by name; a filter's header of the same name gives way to them
 * @param body the body, shared between answers and never changed; empty if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody; a copy would cost megabytes
public record Answer(int status, Map<String, String> headers, byte[] body) {
  public Answer {
    headers = Map.copyOf(headers);
  }
}
