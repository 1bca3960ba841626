package dev.keelson.controller.endpoint;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Brings the slices of one address type to the wanted endpoints with few writes (source: {@code
 * k8s.io/endpointslice}): endpoints stay in the slice where they are, new ones fill slices that
 * change anyway, then one that has room, then new slices.
 */
final class SlicePlan {

  /** As kube-controller-manager ({@code --max-endpoints-per-slice}). */
  static final int MOST = 100;

  private final SliceForm form;
  private final List<ApiObject> creates = new ArrayList<>();
  private final List<ApiObject> updates = new ArrayList<>();
  private final List<ApiObject> deletes = new ArrayList<>();

  private SlicePlan(SliceForm form) {
    this.form = form;
  }

  /**
   * A plan.
   *
   * @param form makes slices of the address type
   * @param existing the slices of the address type
   * @param wanted the endpoints by their ports, each by what identifies it
   */
  static SlicePlan of(
      SliceForm form, List<ApiObject> existing, Map<Items, Map<String, MapNode>> wanted) {
    SlicePlan plan = new SlicePlan(form);
    List<ApiObject> own = existing.stream().filter(form::owns).toList();
    Map<Set<Node>, List<ApiObject>> byPorts = new LinkedHashMap<>();
    for (ApiObject slice : own) {
      byPorts.computeIfAbsent(anyOrder(SliceForm.ports(slice)), _ -> new ArrayList<>()).add(slice);
    }
    Set<Set<Node>> kept =
        wanted.keySet().stream().map(SlicePlan::anyOrder).collect(Collectors.toSet());
    byPorts.forEach(
        (ports, slices) -> {
          if (!kept.contains(ports)) {
            plan.deletes.addAll(slices);
          }
        });
    wanted.forEach(
        (ports, endpoints) ->
            plan.fill(ports, byPorts.getOrDefault(anyOrder(ports), List.of()), endpoints));
    plan.keepOne(own);
    plan.reuse();
    // those of an earlier Service may be garbage already, so they are not used again
    existing.stream().filter(slice -> !form.owns(slice)).forEach(plan.deletes::add);
    return plan;
  }

  /** Ports in another order are the same. */
  private static Set<Node> anyOrder(Items ports) {
    return Set.copyOf(ports.values());
  }

  List<ApiObject> creates() {
    return creates;
  }

  List<ApiObject> updates() {
    return updates;
  }

  List<ApiObject> deletes() {
    return deletes;
  }

  private static final class Draft {
    private final ApiObject slice;
    private final List<Node> endpoints;
    private boolean changed;

    Draft(ApiObject slice, List<Node> endpoints, boolean changed) {
      this.slice = slice;
      this.endpoints = endpoints;
      this.changed = changed;
    }

    int room() {
      return MOST - endpoints.size();
    }
  }

  private void fill(Items ports, List<ApiObject> slices, Map<String, MapNode> wanted) {
    Map<String, MapNode> missing = new LinkedHashMap<>(wanted);
    List<Draft> drafts = new ArrayList<>();
    for (ApiObject slice : slices) {
      drafts.add(kept(slice, missing));
    }
    List<Node> rest = new ArrayList<>(missing.values());
    // those that are written anyway, the fullest first
    List<Draft> changing =
        drafts.stream()
            .filter(draft -> draft.changed && !draft.endpoints.isEmpty())
            .sorted(Comparator.comparingInt(Draft::room))
            .toList();
    for (Draft draft : changing) {
      take(draft, rest);
    }
    if (!rest.isEmpty() && rest.size() < MOST) {
      drafts.stream()
          .filter(draft -> draft.room() >= rest.size())
          .min(Comparator.comparingInt(Draft::room))
          .ifPresent(draft -> take(draft, rest));
    }
    while (!rest.isEmpty()) {
      List<Node> part = new ArrayList<>(rest.subList(0, Math.min(MOST, rest.size())));
      rest.subList(0, part.size()).clear();
      creates.add(form.slice(ports, part));
    }
    for (Draft draft : drafts) {
      if (draft.endpoints.isEmpty()) {
        deletes.add(draft.slice);
      } else {
        ApiObject next = form.changed(draft.slice, ports, draft.endpoints);
        if (!next.equals(draft.slice)) {
          updates.add(next);
        }
      }
    }
  }

  /** The endpoints of a slice that are still wanted, in their newest form. */
  private static Draft kept(ApiObject slice, Map<String, MapNode> missing) {
    List<Node> kept = new ArrayList<>();
    boolean changed = false;
    for (MapNode endpoint : slice.root().maps("endpoints")) {
      MapNode wanted = missing.remove(SliceForm.identity(endpoint));
      changed |= wanted == null || !wanted.equals(endpoint);
      if (wanted != null) {
        kept.add(wanted);
      }
    }
    return new Draft(slice, kept, changed);
  }

  private static void take(Draft draft, List<Node> rest) {
    int count = Math.min(draft.room(), rest.size());
    if (count > 0) {
      List<Node> part = rest.subList(0, count);
      draft.endpoints.addAll(part);
      part.clear();
      draft.changed = true;
    }
  }

  /** A Service without endpoints has one empty slice, so that clients see that it is known. */
  private void keepOne(List<ApiObject> existing) {
    if (!creates.isEmpty() || existing.size() > deletes.size()) {
      return;
    }
    ApiObject empty = form.slice(Items.EMPTY, List.of());
    if (deletes.isEmpty()) {
      creates.add(empty);
      return;
    }
    ApiObject last = deletes.removeFirst();
    ApiObject next = form.changed(last, Items.EMPTY, List.of());
    if (!next.equals(last)) {
      updates.add(next);
    }
  }

  /** A slice that would be deleted is written as one that would be created. */
  private void reuse() {
    while (!creates.isEmpty() && !deletes.isEmpty()) {
      ApiObject made = creates.removeFirst();
      ApiObject old = deletes.removeFirst();
      updates.add(form.changed(old, SliceForm.ports(made), made.root().items("endpoints")));
    }
  }
}
