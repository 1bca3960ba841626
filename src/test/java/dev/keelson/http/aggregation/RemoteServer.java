package dev.keelson.http.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.GroupVersion;
import dev.keelson.schema.GroupPriority;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.webhook.CertificateFlaw;
import dev.keelson.webhook.ServiceResolver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * An API server behind this one, with a certificate for {@code shop.default.svc}: it answers what a
 * test says. Servers of other names are the same one, as long as a test says no other port.
 */
final class RemoteServer implements AutoCloseable {

  static final GroupVersion SHOP = new GroupVersion("shop.example.com", "v1");

  final Vertx vertx = Vertx.vertx();
  final ApiServices services = new ApiServices();
  final List<CertificateFlaw> flaws = new CopyOnWriteArrayList<>();
  final RemoteClients clients = new RemoteClients(vertx, () -> null, flaws::add);
  final List<String> asked = new CopyOnWriteArrayList<>();
  private final TestAuthority authority = TestAuthority.root("authority", Period.now());
  private final TestIdentity certificate = authority.serverNamed("shop.default.svc");
  private final Map<String, Consumer<HttpServerRequest>> answers = new ConcurrentHashMap<>();
  private final Map<String, Integer> ports = new ConcurrentHashMap<>();
  private final int port;
  final ServiceResolver resolver =
      (namespace, name, any) ->
          InetSocketAddress.createUnresolved("127.0.0.1", ports().getOrDefault(name, port()));
  final RemoteFetch fetch = new RemoteFetch(clients, resolver);

  RemoteServer() {
    port =
        await(
                vertx
                    .createHttpServer(
                        new HttpServerOptions().setSsl(true).setKeyCertOptions(keys(certificate)))
                    .requestHandler(this::answer)
                    .listen(0, "127.0.0.1"))
            .actualPort();
  }

  private Map<String, Integer> ports() {
    return ports;
  }

  private int port() {
    return port;
  }

  private void answer(HttpServerRequest request) {
    asked.add(request.path());
    answers
        .getOrDefault(
            request.path(), any -> any.response().setStatusCode(404).end("404 page not found"))
        .accept(request);
  }

  /** Answers requests for a path. */
  void on(String path, Consumer<HttpServerRequest> answer) {
    answers.put(path, answer);
  }

  /** Answers requests for a path with JSON, in which double quotes are single ones. */
  void serve(String path, String json) {
    on(path, request -> request.response().end(json.replace('\'', '"')));
  }

  /** The same as aggregated discovery in {@code version}, with an ETag. */
  void serveAggregated(String version, String tag, String json) {
    serve(
        "/apis",
        "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList",
        tag,
        json);
  }

  /** The same with an ETag, by which the client may have it already. */
  void serve(String path, String tag, String json) {
    serve(path, "application/json", tag, json);
  }

  private void serve(String path, String type, String tag, String json) {
    on(
        path,
        request -> {
          request.response().putHeader("Content-Type", type);
          request.response().putHeader("ETag", tag);
          if (tag.equals(request.getHeader("If-None-Match"))) {
            request.response().setStatusCode(304).end();
          } else {
            request.response().end(json.replace('\'', '"'));
          }
        });
  }

  /** Answers requests for a path with an error. */
  void fail(String path, int status) {
    on(path, request -> request.response().setStatusCode(status).end("broken"));
  }

  /** A server of another name that speaks TLS, and whatever the test says. */
  void listen(String name, Consumer<NetSocket> connection) {
    ports.put(
        name,
        await(
                vertx
                    .createNetServer(
                        new NetServerOptions().setSsl(true).setKeyCertOptions(keys(certificate)))
                    .connectHandler(connection::accept)
                    .listen(0, "127.0.0.1"))
            .actualPort());
  }

  /** A name at which nobody listens. */
  void listenNowhere(String name) {
    ports.put(name, 1);
  }

  /** The backend of a name, whose certificate is not verified. */
  static Backend insecure(String name) {
    return new Backend("default", name, 443, "", true);
  }

  /** The backend of a name, whose certificate is verified. */
  Backend verified(String name) {
    return new Backend("default", name, 443, bundle(authority), false);
  }

  static String bundle(TestAuthority authority) {
    return Base64.getEncoder().encodeToString(authority.pem().getBytes(StandardCharsets.US_ASCII));
  }

  static PemKeyCertOptions keys(TestIdentity identity) {
    return new PemKeyCertOptions()
        .setCertValue(Buffer.buffer(identity.certificatePem()))
        .setKeyValue(Buffer.buffer(identity.keyPem()));
  }

  /** A server of another name whose certificate has that name as its common name alone. */
  void listenWithCommonName(String name) {
    TestIdentity old = authority.identity("CN=" + name + ".default.svc");
    ports.put(
        name,
        await(
                vertx
                    .createHttpServer(
                        new HttpServerOptions().setSsl(true).setKeyCertOptions(keys(old)))
                    .requestHandler(this::answer)
                    .listen(0, "127.0.0.1"))
            .actualPort());
  }

  /** The backend whose certificate is verified and right. */
  Backend verified() {
    return verified("shop");
  }

  static ApiService service(GroupVersion version, Backend backend, boolean available) {
    return service(version, backend, available, GroupPriority.CUSTOM);
  }

  static ApiService service(
      GroupVersion version, Backend backend, boolean available, GroupPriority priority) {
    return new ApiService(
        ApiService.nameOf(version), "u", "1", version, priority, "", backend, available);
  }

  /** Registers these APIServices and no others. */
  void register(ApiService... all) {
    services.clear();
    for (ApiService each : all) {
      services.put(each);
    }
    services.publish(version -> ApiServices.Origin.NOT_SERVED);
  }

  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes the head of a response with a long body, and a part of it. */
  static Future<Void> beginBody(HttpServerRequest request) {
    request.response().putHeader("Content-Length", "1000000");
    return request.response().write(Buffer.buffer("{\"a\":"));
  }

  @Override
  public void close() {
    clients.close();
    Void unused = await(vertx.close());
  }
}
