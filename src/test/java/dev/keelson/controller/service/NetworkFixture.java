package dev.keelson.controller.service;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.service.NetworkChanges.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectSink;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A registry with Services, and what the controllers see of it. */
final class NetworkFixture implements ServiceNetworkSource, AutoCloseable {

  final LocalApi api;
  final ResourceClient client;
  final NetworkState state = new NetworkState();
  final NetworkEvents events;
  final Map<RepairMetrics.Fault, Integer> counted = new EnumMap<>(RepairMetrics.Fault.class);
  final RepairMetrics metrics =
      new RepairMetrics() {
        @Override
        public void address(Fault fault) {
          counted.merge(fault, 1, Integer::sum);
        }

        @Override
        public void port(Fault fault) {
          counted.merge(fault, 1, Integer::sum);
        }

        @Override
        public void portsFailed() {}

        @Override
        public void addressesFailed() {}
      };

  NetworkFixture(Path directory) {
    api = LocalApi.open(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    events = new NetworkEvents(client, api.clock());
  }

  ApiObject service(String name, String spec) {
    return api.create(
        "v1", "services", "default", "{'metadata':{'name':'" + name + "'},'spec':" + spec + "}");
  }

  ApiObject address(String name, String labels, String parent) {
    return api.create(
        "networking.k8s.io/v1",
        "ipaddresses",
        "",
        "{'metadata':{'name':'"
            + name
            + "','labels':{"
            + labels
            + "}},'spec':{'parentRef':"
            + parent
            + "}}");
  }

  ApiObject cidr(String name, String cidrs) {
    return api.create(
        "networking.k8s.io/v1",
        "servicecidrs",
        "",
        "{'metadata':{'name':'" + name + "'},'spec':{'cidrs':[" + cidrs + "]}}");
  }

  boolean exists(Kind kind, String name) {
    return client.get(kind.resource(), "", name).isPresent();
  }

  /** The Services that may be wrong, after reading everything again. */
  Set<String> wrongServices() {
    Set<String> wrong = new TreeSet<>();
    catchUp(state);
    state.findWrong(wrong::add, address -> {}, name -> {});
    return wrong;
  }

  List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    for (ApiObject event : client.list(GroupVersion.CORE_V1.resource("events"), "")) {
      reasons.add(event.root().text("reason"));
    }
    return reasons;
  }

  @Override
  public void listen(Runnable changed) {
    throw new IllegalStateException("no loop here");
  }

  @Override
  public void catchUp(ObjectSink<Kind> sink) {
    for (Kind kind : Kind.values()) {
      sink.clear(kind);
      client.list(kind.resource(), "").forEach(object -> sink.put(kind, object));
    }
  }

  @Override
  public void awaitNewest() {
    // each read is of the store
  }

  @Override
  public void close() {
    api.close();
  }
}
