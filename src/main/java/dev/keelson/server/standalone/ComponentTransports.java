package dev.keelson.server.standalone;

import dev.keelson.client.remote.RemoteTransport;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.client.rest.RateLimitedTransport;
import dev.keelson.config.option.ComponentOptions;
import dev.keelson.controller.manager.ControllerManager;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The transports of a component: one for the election, one for the informers and one for each
 * service account, each with a rate of its own, as the clients of Kubernetes' components have it.
 */
final class ComponentTransports {

  private final ComponentOptions options;
  private final ServerConnection connection;
  private final RemoteTransport.Observer observer;
  private final LongSupplier nanos;
  private final ApiClient issuer;
  private final Map<String, ApiTransport> accounts = new ConcurrentHashMap<>();

  /**
   * Transports without connections.
   *
   * @param observer is told each response
   * @param nanos a monotonic clock, in nanoseconds
   */
  ComponentTransports(
      ComponentOptions options,
      ServerConnection connection,
      RemoteTransport.Observer observer,
      LongSupplier nanos) {
    this.options = options;
    this.connection = connection;
    this.observer = observer;
    this.nanos = nanos;
    this.issuer = new ApiClient(user("token-requests"));
  }

  ControllerManager.Transports all() {
    return new ControllerManager.Transports(user("leader-election"), user("informers"), this::of);
  }

  private ApiTransport of(String account) {
    return accounts.computeIfAbsent(
        account,
        name ->
            options.accountCredentials()
                ? limited(
                    new RemoteTransport(
                        new AccountRoute(connection, issuer, name, nanos), agent(name), observer))
                : user(name));
  }

  private ApiTransport user(String name) {
    return limited(new RemoteTransport(connection.user(), agent(name), observer));
  }

  private String agent(String name) {
    return "keelson/" + options.component().kubernetes() + "/" + name;
  }

  private ApiTransport limited(ApiTransport transport) {
    return options.requestsPerSecond() < 0
        ? transport
        : new RateLimitedTransport(transport, options.requestsPerSecond(), options.burst(), nanos);
  }
}
