package dev.keelson.client.rest;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to an API server as one user. Implementations are safe for use by several threads;
 * all methods block.
 */
public interface ApiTransport {

  /** The media type of objects. */
  String JSON = "application/json";

  /**
   * A request.
   *
   * @param method the HTTP method, upper case
   * @param path the path without the query; its segments need no escapes
   * @param query the decoded parameters
   * @param contentType the media type of the body; empty if there is none
   * @param body the body, which must not be modified; empty if there is none
   * @param accept the media type of the response
   */
  record Request(
      String method,
      String path,
      Map<String, String> query,
      String contentType,
      byte[] body,
      String accept) {

    private static final byte[] NOTHING = {};

    public Request {
      query = Map.copyOf(query);
    }

    /** A request whose response is JSON. */
    public Request(
        String method, String path, Map<String, String> query, String contentType, byte[] body) {
      this(method, path, query, contentType, body, JSON);
    }

    /** A request without a body, for a response of a media type. */
    public static Request accepting(String accept, String path, Map<String, String> query) {
      return new Request("GET", path, query, "", NOTHING, accept);
    }

    /** A request without a body. */
    public static Request of(String method, String path, Map<String, String> query) {
      return new Request(method, path, query, "", NOTHING);
    }

    /** Whether the request changes nothing. */
    public boolean isRead() {
      return method.equals("GET");
    }
  }

  /**
   * A response.
   *
   * @param status the HTTP status
   * @param body the body, which must not be modified; empty if there is none
   */
  record Answer(int status, byte[] body) {}

  /** The events of a watch. Used by one thread, except {@link #close}. */
  interface EventStream extends AutoCloseable {

    /**
     * Waits for the next event.
     *
     * @return a JSON object with {@code type} and {@code object}; null at the end of the watch
     * @throws IOException if the connection breaks
     */
    byte @Nullable [] next() throws IOException, InterruptedException;

    /** Ends the watch; may be called by any thread, more than once. */
    @Override
    void close();
  }

  /**
   * Sends a request and waits for the whole response, whatever its status is.
   *
   * @throws IOException if there is no response; a write may have been done
   */
  Answer send(Request request) throws IOException, InterruptedException;

  /** How long a request may take. */
  @FunctionalInterface
  interface TimeLimit {

    /**
     * The time that is left, positive; asked when the request leaves.
     *
     * @throws IOException if the request may not leave any more
     */
    Duration remaining() throws IOException;
  }

  /**
   * Sends a request that must be over in time, and waits for the whole response. The limit is asked
   * at the last moment: after the waits of a rate limit, and again before the request is repeated.
   *
   * @throws IOException if there is no response in time; a write may have been done
   */
  Answer send(Request request, TimeLimit limit) throws IOException, InterruptedException;

  /**
   * Starts a watch.
   *
   * @throws dev.keelson.api.ApiException if the server refuses it
   * @throws IOException if there is no response
   */
  EventStream watch(Request request) throws IOException, InterruptedException;
}
