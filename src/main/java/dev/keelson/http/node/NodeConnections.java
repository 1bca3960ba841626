package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.Reason;
import dev.keelson.authz.Authorizer;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.simulated.SimulatedPods;
import dev.keelson.http.verb.NodeConnection;
import dev.keelson.request.RequestInfo;
import java.time.InstantSource;

/** Connects to nodes, pods and services. Safe for use by several threads. */
public final class NodeConnections implements NodeConnection {

  private final Locations locations;
  private final LogRequest log;
  private final ProxyRequest proxy;
  private final StreamRequest streams;

  /**
   * @param clients the connections
   * @param authorizer authorizes streams
   * @param features which protocols are translated
   * @param counter counts WebSockets
   * @param simulated answers for pods of simulated nodes
   * @param clock tells the time that parameters of logs count from
   */
  public NodeConnections(
      NodeClients clients,
      Locations locations,
      Authorizer authorizer,
      FeatureGates features,
      StreamCounter counter,
      SimulatedPods simulated,
      InstantSource clock) {
    this.locations = locations;
    this.log = new LogRequest(clients, locations, simulated, clock);
    this.proxy = new ProxyRequest(clients);
    this.streams = new StreamRequest(clients, locations, authorizer, features, counter, simulated);
  }

  @Override
  public ApiResponse open(Connect connect) {
    if (!(connect.exchange().request().content() instanceof NodePassage.Unread unread)) {
      throw new ApiException(
          Reason.NOT_IMPLEMENTED, "connections to nodes need the connection of the client");
    }
    Passing passing = new Passing(unread.client());
    RequestInfo.Resource info = connect.info();
    return switch (info.subresource()) {
      case "log" -> log.answer(passing, connect);
      case "proxy" ->
          proxy.answer(
              passing,
              connect,
              switch (info.resource()) {
                case "nodes" -> locations.node(info.name());
                case "services" -> locations.service(info.namespace(), info.name());
                default -> locations.pod(info.namespace(), info.name());
              });
      default -> streams.answer(passing, connect);
    };
  }
}
