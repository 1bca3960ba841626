package dev.keelson.controller.daemonset;

import dev.keelson.controller.fit.RequiredNodes;
import dev.keelson.controller.fit.Taint;
import dev.keelson.controller.fit.Toleration;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Which nodes suit the pods of a DaemonSet (source: {@code NodeShouldRunDaemonPod}).
 *
 * @param nodeName the only node; empty if the template names none
 */
record DaemonFit(String nodeName, RequiredNodes nodes, List<Toleration> tolerations) {

  private static final List<Toleration> ALWAYS =
      List.of(
          toleration("not-ready", Taint.NO_EXECUTE),
          toleration("unreachable", Taint.NO_EXECUTE),
          toleration("disk-pressure", Taint.NO_SCHEDULE),
          toleration("memory-pressure", Taint.NO_SCHEDULE),
          toleration("pid-pressure", Taint.NO_SCHEDULE),
          toleration("unschedulable", Taint.NO_SCHEDULE));

  private static final Toleration NETWORK = toleration("network-unavailable", Taint.NO_SCHEDULE);

  /** What becomes of pods on a node. */
  enum Verdict {
    /** There is one. */
    RUN,
    /** There is none, but one that runs goes on. */
    CONTINUE,
    /** There is none. */
    NONE
  }

  DaemonFit {
    tolerations = List.copyOf(tolerations);
  }

  private static Toleration toleration(String key, String effect) {
    return new Toleration("node.kubernetes.io/" + key, "Exists", "", effect);
  }

  /** The fit of pods with the spec of a template. */
  static DaemonFit of(MapNode spec) {
    return new DaemonFit(
        spec.text("nodeName"), RequiredNodes.of(spec), Toleration.of(withTolerations(spec)));
  }

  /** The spec of pods, which tolerate what nodes with problems have. */
  static MapNode withTolerations(MapNode spec) {
    List<Node> all = new ArrayList<>(spec.items("tolerations"));
    List<Toleration> own = Toleration.of(spec);
    List<Toleration> added = new ArrayList<>(ALWAYS);
    if (spec.get("hostNetwork") == Node.Bool.TRUE) {
      added.add(NETWORK);
    }
    for (Toleration toleration : added) {
      int known = own.indexOf(toleration);
      if (known < 0) {
        all.add(node(toleration));
      } else {
        // in place of one that holds for some time only
        Node unused = all.set(known, node(toleration));
      }
    }
    return spec.with("tolerations", new Node.Items(all));
  }

  private static MapNode node(Toleration toleration) {
    return MapNode.builder(3)
        .put("key", Node.text(toleration.key()))
        .put("operator", Node.text(toleration.operator()))
        .put("effect", Node.text(toleration.effect()))
        .build();
  }

  Verdict on(DaemonNode node) {
    if (!nodeName.isEmpty() && !nodeName.equals(node.name())) {
      return Verdict.NONE;
    }
    if (!nodes.matches(node.name(), node.labels())) {
      return Verdict.NONE;
    }
    Verdict verdict = Verdict.RUN;
    for (Taint taint : node.taints()) {
      if (taint.repels() && !Toleration.anyTolerates(tolerations, taint)) {
        if (taint.effect().equals(Taint.NO_EXECUTE)) {
          return Verdict.NONE;
        }
        verdict = Verdict.CONTINUE;
      }
    }
    return verdict;
  }
}
