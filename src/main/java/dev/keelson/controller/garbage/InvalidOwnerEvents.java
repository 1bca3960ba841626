package dev.keelson.controller.garbage;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.ObjectAddress;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.OwnerReference;
import dev.keelson.schema.ResourceDefinition;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reports invalid owner references, to an owner in another namespace or from a cluster-scoped
 * object to a namespaced owner, by an Event {@code OwnerRefInvalidNamespace}; once per pair and
 * process.
 */
final class InvalidOwnerEvents {

  private static final String COMPONENT = "garbage-collector-controller";
  private static final int MOST_TOLD = 10_000;

  private final ResourceClient client;
  private final OwnerAddresses addresses;
  private final InstantSource clock;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  InvalidOwnerEvents(ResourceClient client, OwnerAddresses addresses, InstantSource clock) {
    this.client = client;
    this.addresses = addresses;
    this.clock = clock;
  }

  void tell(ObjectAddress address, ApiObject object, OwnerReference owner) {
    String pair = object.meta().uid() + "/" + owner.uid();
    if (told.size() >= MOST_TOLD || !told.add(pair)) {
      return;
    }
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    String namespace = address.namespace().isEmpty() ? "default" : address.namespace();
    MapNode.Builder event = MapNode.builder(12);
    event
        .put("apiVersion", Node.text("v1"))
        .put("kind", Node.text("Event"))
        .put(
            "metadata",
            MapNode.ofTexts(Map.of("generateName", address.name() + ".", "namespace", namespace)))
        .put("involvedObject", involved(address, object))
        .put("reason", Node.text("OwnerRefInvalidNamespace"))
        .put(
            "message",
            Node.text(
                "ownerRef ["
                    + owner.apiVersion()
                    + "/"
                    + owner.kind()
                    + ", namespace: "
                    + address.namespace()
                    + ", name: "
                    + owner.name()
                    + ", uid: "
                    + owner.uid()
                    + "] does not exist in namespace \""
                    + address.namespace()
                    + "\""))
        .put("source", MapNode.of("component", Node.text(COMPONENT)))
        .put("firstTimestamp", Node.text(now))
        .put("lastTimestamp", Node.text(now))
        .put("count", new Node.Int(1))
        .put("type", Node.text("Warning"))
        .put("reportingComponent", Node.text(COMPONENT));
    ApiObject unused =
        client.create(
            GroupVersion.CORE_V1.resource("events"), namespace, new ApiObject(event.build()));
  }

  private MapNode involved(ObjectAddress address, ApiObject object) {
    String kind = addresses.definition(address).map(ResourceDefinition::kind).orElse(object.kind());
    MapNode.Builder involved = MapNode.builder(6);
    involved
        .put("kind", Node.text(kind))
        .put("name", Node.text(address.name()))
        .put("uid", Node.text(object.meta().uid()))
        .put("apiVersion", Node.text(object.apiVersion()))
        .put("resourceVersion", Node.text(object.meta().resourceVersion()));
    if (!address.namespace().isEmpty()) {
      involved.put("namespace", Node.text(address.namespace()));
    }
    return involved.build();
  }
}
