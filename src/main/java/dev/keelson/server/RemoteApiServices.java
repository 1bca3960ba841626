package dev.keelson.server;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.aggregation.AvailabilityController;
import dev.keelson.http.aggregation.RemoteClients;
import dev.keelson.http.aggregation.RemoteDiscovery;
import dev.keelson.http.aggregation.RemoteOpenApi;
import dev.keelson.server.cache.ServiceChanges;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What runs for remote APIServices: the checks of their availability, the feed of the Services that
 * they name, their documents, and the connections to them. Starts threads only when there is a
 * remote APIService.
 */
final class RemoteApiServices implements QueueOwner, AutoCloseable {

  private static final Duration DOCUMENTS_INTERVAL = Duration.ofMinutes(1);

  private final ApiServices services;
  private final AvailabilityController availability;
  private final ServiceChanges changes;
  private final RemoteClients clients;
  private final ControllerLoop loop;
  private final ControllerLoop discovery;
  private final ControllerLoop openApi;

  RemoteApiServices(
      ApiServices services,
      AvailabilityController availability,
      ServiceChanges changes,
      RemoteDiscovery discovery,
      RemoteOpenApi openApi,
      RemoteClients clients) {
    this.discovery =
        ControllerLoop.every("remote-discovery", DOCUMENTS_INTERVAL, discovery::refresh);
    this.openApi = ControllerLoop.every("remote-openapi", DOCUMENTS_INTERVAL, openApi::refresh);
    this.services = services;
    this.availability = availability;
    this.changes = changes;
    this.clients = clients;
    this.loop = ControllerLoop.every("remote-services", ControllerLoop.NO_RESYNC, changes::read);
  }

  void start() {
    services.listen(this::changed);
    changed();
    availability.start();
  }

  private void changed() {
    List<Backend> backends =
        services.snapshot().remotes().values().stream()
            .map(ApiService::backend)
            .filter(Objects::nonNull)
            .toList();
    Set<String> namespaces = backends.stream().map(Backend::namespace).collect(Collectors.toSet());
    clients.retain(backends);
    changes.follow(namespaces, loop::signal);
    if (!namespaces.isEmpty()) {
      loop.start();
      discovery.start();
      openApi.start();
    }
    // also when the last one goes: its documents go too
    discovery.signal();
    openApi.signal();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return availability.queues();
  }

  @Override
  public void close() {
    availability.close();
    loop.close();
    discovery.close();
    openApi.close();
    changes.close();
    clients.close();
  }
}
