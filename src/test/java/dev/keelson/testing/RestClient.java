package dev.keelson.testing;

import com.google.gson.Gson;
import io.restassured.RestAssured;
import io.restassured.config.EncoderConfig;
import io.restassured.config.HttpClientConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.config.SSLConfig;
import io.restassured.filter.FilterContext;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.apache.http.conn.ssl.SSLSocketFactory;

/** Requests to a server by REST Assured. Bodies are maps, which are sent as JSON, or text. */
public final class RestClient {

  private static final Gson GSON = new Gson();

  /** So that the tests of a server share a connection. */
  private static final Map<Started, RestClient> ADMINISTRATORS = new ConcurrentHashMap<>();

  private final URI address;
  private final RestAssuredConfig config;

  /** A server at an address, which another one with other certificates may have had before. */
  private record Started(KeelsonProcess server, URI address) {}

  @SuppressWarnings("deprecation") // the one factory of TLS sockets that REST Assured takes
  private RestClient(URI address, SSLContext tls) {
    this.address = address;
    config =
        RestAssuredConfig.config()
            .encoderConfig(
                EncoderConfig.encoderConfig()
                    .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                    .encodeContentTypeAs("application/yaml", ContentType.TEXT)
                    .encodeContentTypeAs("application/merge-patch+json", ContentType.TEXT)
                    .encodeContentTypeAs("application/json-patch+json", ContentType.TEXT)
                    .encodeContentTypeAs("application/strategic-merge-patch+json", ContentType.TEXT)
                    .encodeContentTypeAs("application/apply-patch+yaml", ContentType.TEXT))
            .sslConfig(SSLConfig.sslConfig().sslSocketFactory(new SSLSocketFactory(tls)))
            // one connection for all requests: handshakes would take most of the time
            .httpClient(HttpClientConfig.httpClientConfig().reuseHttpClientInstance());
  }

  /** A client as the administrator, at the server's current address. */
  public static RestClient administrator(KeelsonProcess server) {
    return ADMINISTRATORS.computeIfAbsent(
        new Started(server, server.address()),
        started -> new RestClient(started.address, server.kubeconfig().asUser()));
  }

  /** A client without a certificate. */
  public static RestClient nobody(KeelsonProcess server) {
    return new RestClient(server.address(), server.kubeconfig().asNobody());
  }

  /** The server's address at the time this client was made. */
  public URI address() {
    return address;
  }

  /** An empty request. */
  public RequestSpecification request() {
    return RestAssured.given().config(config).filter(RestClient::read).baseUri(address.toString());
  }

  /** Reads the whole body, so that the connection is free for the next request. */
  private static Response read(
      FilterableRequestSpecification request,
      FilterableResponseSpecification expected,
      FilterContext context) {
    Response response = context.next(request, expected);
    byte[] unused = response.asByteArray();
    return response;
  }

  public Response get(String path) {
    return request().get(path);
  }

  public Response post(String path, Object body) {
    return json(body).post(path);
  }

  public Response put(String path, Object body) {
    return json(body).put(path);
  }

  public Response delete(String path) {
    return request().delete(path);
  }

  public Response delete(String path, Object options) {
    return json(options).delete(path);
  }

  /** A request with a body of JSON. */
  public RequestSpecification json(Object body) {
    return request().contentType("application/json").body(text(body));
  }

  private static String text(Object body) {
    return body instanceof String text ? text : GSON.toJson(body);
  }
}
