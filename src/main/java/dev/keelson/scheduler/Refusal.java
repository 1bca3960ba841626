package dev.keelson.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Why a pod has no node, in the words of kube-scheduler. */
final class Refusal {
  private final Map<String, Integer> reasons = new TreeMap<>();
  private final List<Room> occupied = new ArrayList<>();
  private final int nodes;
  private String whole = "";
  private String failure = "";

  /** Nothing is known yet against any of so many nodes. */
  Refusal(int nodes) {
    this.nodes = nodes;
  }

  /** No node will do, for one reason. */
  void everywhere(String reason) {
    whole = reason;
  }

  /** Something is wrong that has nothing to do with nodes. */
  void failed(String problem) {
    failure = problem;
  }

  /** Whether making room could help. */
  boolean isCrowded() {
    return failure.isEmpty() && !occupied.isEmpty();
  }

  /** How the attempt ended. */
  SchedulerMetrics.Result result() {
    return failure.isEmpty()
        ? SchedulerMetrics.Result.UNSCHEDULABLE
        : SchedulerMetrics.Result.ERROR;
  }

  /** Why, in the condition of the pod. */
  String reason() {
    return failure.isEmpty() ? "Unschedulable" : "SchedulerError";
  }

  /** The nodes on which other pods are in the way. */
  List<Room> occupied() {
    return occupied;
  }

  /**
   * Nodes that are not looked at do not do.
   *
   * @param looked how many are looked at
   */
  void others(String reason, int looked) {
    if (nodes > looked) {
      reasons.put(reason, nodes - looked);
    }
  }

  /** A node does not do. */
  void add(Room room, Verdict verdict) {
    verdict.reasons().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
    if (!verdict.forGood()) {
      occupied.add(room);
    }
  }

  /**
   * The message.
   *
   * @param room whether room is being made
   * @param ineligible why that was not tried; empty if it was
   * @param claims what was tried with the claims of the pod
   */
  String message(boolean room, String ineligible, String claims) {
    if (!failure.isEmpty()) {
      return failure;
    }
    if (nodes == 0) {
      return "no nodes available to schedule pods";
    }
    List<String> texts =
        whole.isEmpty()
            ? reasons.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .sorted()
                .toList()
            : List.of(whole);
    String text = "0/" + nodes + " nodes are available: " + String.join(", ", texts) + ".";
    if (room) {
      return text;
    }
    if (!ineligible.isEmpty()) {
      return text + " " + claims + ", preemption: not eligible due to " + ineligible + ".";
    }
    int helpless = nodes - occupied.size();
    List<String> why = new ArrayList<>();
    if (!occupied.isEmpty()) {
      why.add(occupied.size() + " No preemption victims found for incoming pod");
    }
    if (helpless > 0) {
      why.add(helpless + " Preemption is not helpful for scheduling");
    }
    return text
        + " "
        + claims
        + ", preemption: 0/"
        + nodes
        + " nodes are available: "
        + String.join(", ", why)
        + ".";
  }
}
