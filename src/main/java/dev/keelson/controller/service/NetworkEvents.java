package dev.keelson.controller.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Names;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Creates the warning Events of these controllers, each once per object and process. An Event that
 * cannot be created is logged and lost. Safe for use by several threads.
 */
final class NetworkEvents {

  private static final Logger LOG = Logger.getLogger(NetworkEvents.class);
  private static final GroupVersionResource EVENTS = GroupVersion.CORE_V1.resource("events");
  private static final int MOST_TOLD = 10_000;

  private final ResourceClient client;
  private final InstantSource clock;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  NetworkEvents(ResourceClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /**
   * Creates an Event.
   *
   * @param component the controller, by its name in Kubernetes
   * @param about the object with apiVersion and kind
   * @param action what was done or failed, or empty
   */
  void warn(String component, ApiObject about, String reason, String action, String message) {
    LOG.warnf("event=service-network-warning reason=%s message=%s", reason, message);
    String key = about.meta().uid() + "/" + reason + "/" + message;
    if (told.size() >= MOST_TOLD || !told.add(key)) {
      return;
    }
    Instant now = clock.instant();
    String namespace = about.meta().namespace().isEmpty() ? "default" : about.meta().namespace();
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    MapNode.Builder event = MapNode.builder(14);
    event
        .put(
            "metadata",
            MapNode.of("name", Node.text(name(about.meta().name(), now)))
                .with("namespace", Node.text(namespace)))
        .put("involvedObject", reference(about))
        .put("reason", Node.text(reason))
        .put("message", Node.text(message))
        .put("source", MapNode.of("component", Node.text(component)))
        .put("firstTimestamp", Node.text(time))
        .put("lastTimestamp", Node.text(time))
        .put("count", new Node.Int(1))
        .put("type", Node.text("Warning"))
        .put("reportingComponent", Node.text(component));
    if (!action.isEmpty()) {
      event.put("action", Node.text(action));
    }
    try {
      ApiObject unused = client.create(EVENTS, namespace, new ApiObject(event.build()));
    } catch (ApiException e) {
      LOG.debugf("event=event-not-created reason=%s error=%s", reason, e.getMessage());
    }
  }

  /** The object's name with the time; a random one where that is no name, as for IPv6 addresses. */
  private static String name(String object, Instant now) {
    long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
    String name = object + "." + Long.toHexString(nanos);
    return Names.dnsSubdomain(name).isEmpty() ? name : UUID.randomUUID().toString();
  }

  private static MapNode reference(ApiObject about) {
    MapNode.Builder reference = MapNode.builder(6);
    reference
        .put("kind", Node.text(about.kind()))
        .put("name", Node.text(about.meta().name()))
        .put("uid", Node.text(about.meta().uid()))
        .put("apiVersion", Node.text(about.apiVersion()))
        .put("resourceVersion", Node.text(about.meta().resourceVersion()));
    if (!about.meta().namespace().isEmpty()) {
      reference.put("namespace", Node.text(about.meta().namespace()));
    }
    return reference.build();
  }
}
