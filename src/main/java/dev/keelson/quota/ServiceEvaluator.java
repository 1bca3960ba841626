package dev.keelson.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Services, their node ports and their load balancers. */
final class ServiceEvaluator implements Evaluator {

  private static final GroupResource SERVICES = new GroupResource("", "services");
  private static final String COUNT = Evaluator.countName(SERVICES);
  private static final String NODE_PORTS = "services.nodeports";
  private static final String LOAD_BALANCERS = "services.loadbalancers";
  private static final Set<String> NAMES = Set.of(COUNT, "services", NODE_PORTS, LOAD_BALANCERS);

  @Override
  public GroupResource resource() {
    return SERVICES;
  }

  @Override
  public boolean handles(
      Verb operation, String subresource, @Nullable ApiObject object, @Nullable ApiObject old) {
    return subresource.isEmpty() && (operation == Verb.CREATE || operation == Verb.UPDATE);
  }

  @Override
  public List<String> matchingResources(Collection<String> names) {
    return names.stream().filter(NAMES::contains).toList();
  }

  @Override
  public ResourceList usage(ApiObject service) {
    MapNode spec = service.root().map("spec");
    NavigableMap<String, Quantity> amounts = new TreeMap<>();
    amounts.put(COUNT, Quantity.of(1));
    amounts.put("services", Quantity.of(1));
    amounts.put(NODE_PORTS, Quantity.of(nodePorts(spec)));
    amounts.put(LOAD_BALANCERS, Quantity.of(spec.text("type").equals("LoadBalancer") ? 1 : 0));
    return new ResourceList(amounts);
  }

  /**
   * Node ports are allocated after admission, so the ports that will get one are counted; without
   * allocation, those that name one.
   */
  private static long nodePorts(MapNode spec) {
    List<MapNode> ports = spec.maps("ports");
    return switch (spec.text("type")) {
      case "NodePort" -> ports.size();
      case "LoadBalancer" ->
          spec.get("allocateLoadBalancerNodePorts") == Node.Bool.FALSE
              ? ports.stream().filter(ServiceEvaluator::hasNodePort).count()
              : ports.size();
      default -> 0;
    };
  }

  private static boolean hasNodePort(MapNode port) {
    return port.get("nodePort") instanceof Node.Int number && number.value() != 0;
  }

  @Override
  public boolean replenishes(ApiObject before, ApiObject after) {
    return !countedType(before).equals(countedType(after));
  }

  private static String countedType(ApiObject service) {
    String type = service.root().map("spec").text("type");
    return type.equals("NodePort") || type.equals("LoadBalancer") ? type : "";
  }
}
