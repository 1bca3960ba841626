package dev.keelson.scheduler.device;

import dev.keelson.controller.fit.Resources;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.scheduler.device.Request.Choice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The extended resources that the containers of a pod request, which may be devices (source: {@code
 * extendeddynamicresources.go} of kube-scheduler's plug-in DynamicResources).
 *
 * @param containers those that are initialized first, in their order
 */
public record ExtendedRequests(List<Container> containers) {

  /** Those of a pod without any. */
  public static final ExtendedRequests NONE = new ExtendedRequests(List.of());

  public ExtendedRequests {
    containers = List.copyOf(containers);
  }

  /**
   * What a container requests.
   *
   * @param brief whether it ends before the others start, so that they may have its devices
   * @param names of all its resources in their order
   * @param amounts of extended resources, none of them 0
   */
  record Container(String name, boolean brief, List<String> names, Map<String, Long> amounts) {
    Container {
      names = List.copyOf(names);
      amounts = Map.copyOf(amounts);
    }
  }

  /**
   * What is asked of devices for a pod.
   *
   * @param requests those of the claim
   * @param mappings which container has which of them
   */
  record Plan(List<Request> requests, List<MapNode> mappings) {
    Plan {
      requests = List.copyOf(requests);
      mappings = List.copyOf(mappings);
    }
  }

  /** Those of a pod's spec. */
  public static ExtendedRequests of(MapNode spec) {
    if (!asks(spec.maps("containers")) && !asks(spec.maps("initContainers"))) {
      return NONE;
    }
    List<Container> containers = new ArrayList<>();
    for (String list : List.of("initContainers", "containers")) {
      for (MapNode container : spec.maps(list)) {
        boolean brief =
            list.equals("initContainers") && !container.text("restartPolicy").equals("Always");
        containers.add(container(container, brief));
      }
    }
    return new ExtendedRequests(containers);
  }

  private static boolean asks(List<MapNode> containers) {
    for (MapNode container : containers) {
      MapNode requests = container.map("resources").map("requests");
      for (int i = 0; i < requests.size(); i++) {
        if (requests.keyAt(i).indexOf('/') >= 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static Container container(MapNode container, boolean brief) {
    MapNode requests = container.map("resources").map("requests");
    Map<String, Long> amounts = new HashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      String name = requests.keyAt(i);
      long amount = name.indexOf('/') < 0 ? 0 : Resources.whole(requests, name);
      if (amount != 0) {
        amounts.put(name, amount);
      }
    }
    List<String> names = List.copyOf(new TreeSet<>(requests.keys()));
    return new Container(container.text("name"), brief, names, amounts);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return containers.isEmpty();
  }

  /** The names of the resources. */
  Set<String> names() {
    Set<String> names = new HashSet<>();
    containers.forEach(container -> names.addAll(container.amounts().keySet()));
    return names;
  }

  /**
   * What is to be asked for.
   *
   * @param classes the classes of the devices that the resources are, by their names
   */
  Plan plan(Map<String, String> classes) {
    List<Request> requests = new ArrayList<>();
    List<MapNode> mappings = new ArrayList<>();
    new TreeMap<>(classes)
        .forEach((resource, type) -> new OfResource(resource, type).add(requests, mappings));
    requests.sort(Comparator.comparing(Request::name));
    return new Plan(requests, mappings);
  }

  /** The requests for one resource. Containers that end first are given devices of later ones. */
  private final class OfResource {

    private final String resource;
    private final String type;

    /** By the place of the container. */
    private final @Nullable Request[] lasting = new Request[containers.size()];

    OfResource(String resource, String type) {
      this.resource = resource;
      this.type = type;
    }

    void add(List<Request> requests, List<MapNode> mappings) {
      for (int i = 0; i < lasting.length; i++) {
        if (!containers.get(i).brief()) {
          lasting[i] = request(i, containers.size(), mappings);
        }
      }
      Request most = null;
      Map<String, Integer> added = new HashMap<>();
      for (int i = 0; i < lasting.length; i++) {
        if (containers.get(i).brief()) {
          Request own = request(i, i, mappings);
          if (own != null) {
            added.put(own.name(), mappings.size() - 1);
            most = most == null || count(most) < count(own) ? own : most;
          }
        }
      }
      if (most != null) {
        // containers that end first share the devices of the one that needs the most
        for (int place : added.values()) {
          mappings.set(place, mappings.get(place).with("requestName", Node.text(most.name())));
        }
        requests.add(most);
      }
      for (Request request : lasting) {
        if (request != null) {
          requests.add(request);
        }
      }
    }

    private static long count(Request request) {
      return request.choices().getFirst().count();
    }

    /**
     * The request of a container for what it cannot have of others; null if there is none.
     *
     * @param reusable the place of the first container whose devices it may have
     */
    private @Nullable Request request(int place, int reusable, List<MapNode> mappings) {
      Container container = containers.get(place);
      long wanted = container.amounts().getOrDefault(resource, 0L);
      if (wanted == 0) {
        return null;
      }
      long had = 0;
      for (int i = reusable; i < lasting.length; i++) {
        Request other = lasting[i];
        if (other != null) {
          had += count(other);
          mappings.add(mapping(container, other.name()));
          if (had >= wanted) {
            return null;
          }
        }
      }
      String name = "container-" + place + "-request-" + container.names().indexOf(resource);
      mappings.add(mapping(container, name));
      Choice choice =
          new Choice(name, type, List.of(), false, wanted - had, false, List.of(), Map.of());
      return new Request(name, List.of(choice), false);
    }

    private MapNode mapping(Container container, String request) {
      return MapNode.builder(3)
          .put("containerName", Node.text(container.name()))
          .put("resourceName", Node.text(resource))
          .put("requestName", Node.text(request))
          .build();
    }
  }
}
