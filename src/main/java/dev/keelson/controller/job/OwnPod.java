package dev.keelson.controller.job;

import dev.keelson.controller.workload.JobPod;
import dev.keelson.controller.workload.PodFacts;

/** A pod of a Job. */
record OwnPod(PodFacts facts, JobPod state) {

  String uid() {
    return facts.uid();
  }

  /** The completion index; -1 if there is none. */
  int index() {
    return state.index();
  }

  boolean tracked() {
    return state.tracked();
  }

  boolean succeeded() {
    return facts.phase().equals("Succeeded");
  }

  /** Whether it is being deleted and has not ended. */
  boolean terminating() {
    return facts.deleting() && !facts.ended();
  }

  /** How often the index failed before, counted or not. */
  int allFailures() {
    return state.failures() + state.ignoredFailures();
  }
}
