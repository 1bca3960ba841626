package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.Reason;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.connection.ForwardedAddresses;
import dev.keelson.http.connection.RequestReceiver;
import dev.keelson.http.simulated.PrintedText;
import dev.keelson.http.simulated.SimulatedPods;
import dev.keelson.http.verb.NodeConnection.Connect;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** A listener whose requests go to nodes, with little in place of the filters and verbs. */
final class NodeFront implements AutoCloseable {

  final Vertx vertx = Vertx.vertx();
  final KnownCluster cluster = new KnownCluster();
  final NodeClients clients;
  final URI uri;
  final List<String> counted = new CopyOnWriteArrayList<>();
  volatile boolean refusesCreate;
  volatile PrintedText.Text printed = PrintedText.Text.DEFAULT;

  NodeFront(Supplier<KubeletIdentity> identity, Duration patience) {
    clients = new NodeClients(vertx, identity, Duration.ofSeconds(5));
    NodeConnections connections =
        new NodeConnections(
            clients,
            new Locations(
                cluster,
                new Kubelets(List.of("InternalIP"), 10250),
                new AddressRule(/* local= */ true),
                new Random(1)),
            authorizer(),
            FeatureGates.DEFAULT,
            (subresource, direct) -> counted.add(subresource + " " + direct),
            new SimulatedPods(pod -> printed),
            InstantSource.system());
    ErrorResponses errors =
        new ErrorResponses(
            (request, code, status) ->
                ApiResponse.of(
                    code,
                    "application/json",
                    (status.text("reason") + " " + status.text("message"))
                        .getBytes(StandardCharsets.UTF_8)));
    RequestHandler end =
        exchange -> connections.open(new Connect(exchange, info(exchange), options(exchange)));
    RequestReceiver receiver =
        new RequestReceiver(
            vertx,
            Executors.newVirtualThreadPerTaskExecutor(),
            routing -> routing.response().setStatusCode(418).end(),
            exchange -> {
              throw new ApiException(Reason.NOT_FOUND, "not for nodes");
            },
            errors,
            new RequestReceiver.Times(patience, Duration.ofSeconds(90)),
            new NodeDelegation(end),
            chain -> asUser(chain, errors),
            InstantSource.system(),
            ForwardedAddresses.OF_TLS,
            RequestReceiver.Traffic.UNLIMITED);
    Router router = Router.router(vertx);
    router.route().handler(routing -> receiver.handle(routing, () -> {}));
    uri =
        URI.create(
            "http://127.0.0.1:"
                + await(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                    .actualPort());
  }

  private Authorizer authorizer() {
    return new Authorizer() {
      @Override
      public Decision authorize(Attributes attributes) {
        return refusesCreate && attributes.verb().equals("create")
            ? new Decision.NoOpinion("", "")
            : Decision.Allow.PLAIN;
      }

      @Override
      public ResolvedRules rules(UserInfo user, String namespace) {
        throw new IllegalStateException("not asked for");
      }
    };
  }

  private static RequestHandler asUser(RequestHandler end, ErrorResponses errors) {
    UserInfo user = new UserInfo("ann", "u", List.of(), Map.of());
    return exchange -> {
      try {
        return end.answer(
            new Exchange(exchange.request(), exchange.info(), new RequestContext(user, "audit-1")));
      } catch (ApiException e) {
        return errors.answer(exchange.request(), e);
      }
    };
  }

  private static RequestInfo.Resource info(Exchange exchange) {
    return (RequestInfo.Resource) exchange.info();
  }

  /** As ConnectOptions reads them, but for the types of fields. */
  private static MapNode options(Exchange exchange) {
    ApiRequest request = exchange.request();
    MapNode.Builder options = MapNode.builder(8);
    String rest = info(exchange).rest();
    String path = rest.isEmpty() ? "" : "/" + rest;
    boolean trailing = request.path().endsWith("/") && !path.endsWith("/");
    options.put("path", Node.text(trailing ? path + "/" : path));
    options.put("container", Node.text(request.query().first("container")));
    options.put("command", Node.texts(request.query().all("command")));
    for (String flag : List.of("stdin", "stdout", "stderr", "tty")) {
      options.put(flag, Node.Bool.of(request.query().flag(flag)));
    }
    return options.build();
  }

  /** A node whose kubelet is at a port of this host, and a pod on it, {@code default/p}. */
  void node(int port, String... features) {
    cluster.put(
        "nodes",
        "n1",
        "{'metadata':{'name':'n1'},'status':{'addresses':[{'type':'InternalIP',"
            + "'address':'127.0.0.1'}],'daemonEndpoints':{'kubeletEndpoint':{'Port':"
            + port
            + "}},'declaredFeatures':["
            + String.join(",", List.of(features).stream().map(each -> "'" + each + "'").toList())
            + "]}}");
    cluster.put(
        "pods",
        "p",
        "{'metadata':{'name':'p','namespace':'default'},'spec':{'nodeName':'n1',"
            + "'containers':[{'name':'c'}]}}");
  }

  static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().join();
  }

  @Override
  public void close() {
    clients.close();
    Void unused = await(vertx.close());
  }
}
