package dev.keelson.client.remote;

import io.vertx.core.http.HttpClient;
import java.util.Map;

/**
 * A server, and what a client shows to it.
 *
 * @param client has the trust in the server and the client's certificate
 * @param host the host name or address to connect to, without brackets
 * @param port the port to connect to
 * @param serverName the name for the server name indication
 * @param path what precedes the paths of the API, without a slash at its end; may be empty
 * @param headers of each request, such as Authorization
 */
public record ApiServer(
    HttpClient client,
    String host,
    int port,
    String serverName,
    String path,
    Map<String, String> headers) {

  public ApiServer {
    headers = Map.copyOf(headers);
  }

  /** The same server with other headers, through another client. */
  public ApiServer with(HttpClient other, Map<String, String> shown) {
    return new ApiServer(other, host, port, serverName, path, shown);
  }
}
