package dev.keelson.controller.job;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.Batches;
import dev.keelson.controller.workload.Expectations;
import dev.keelson.controller.workload.JobFacts;
import dev.keelson.controller.workload.JobPod;
import dev.keelson.controller.workload.PodControl;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.UnansweredWrites;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The requests that the Job controller sends. Safe for use by several threads. */
final class JobActions {

  private static final String INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

  /** The longest name without the generated end. */
  private static final int LONGEST_PREFIX = 58;

  private final ApiClient client;
  private final PodControl control;
  private final Expectations expectations;
  private final FinalizerRemovals removals;
  private final UnansweredWrites unanswered;

  /**
   * @param ready the number of deleted pods that were ready
   */
  record Deleted(int pods, int ready) {}

  JobActions(
      ApiClient client,
      PodControl control,
      Expectations expectations,
      FinalizerRemovals removals,
      UnansweredWrites unanswered) {
    this.client = client;
    this.control = control;
    this.expectations = expectations;
    this.removals = removals;
    this.unanswered = unanswered;
  }

  /** Writes the status; an error of reason Conflict tells that somebody else has written. */
  Job writeStatus(Job job, JobStatus status) throws InterruptedException {
    return new Job(
        client
            .updateStatus(JobFacts.RESOURCE, job.object().with("status", status.node()))
            .object());
  }

  /** Deletes pods, which stay until they are counted and their finalizer is removed. */
  Deleted deleteTracked(Job job, List<OwnPod> pods, List<ApiException> failures)
      throws InterruptedException {
    ObjectReference reference = job.reference();
    int done =
        Batches.all(
            pods,
            pod -> {
              try {
                control.delete(pod.facts(), reference);
              } catch (ApiException e) {
                if (e.reason() != Reason.NOT_FOUND) {
                  throw e;
                }
              }
            },
            failures);
    unanswered.note(ObjectName.of(job.meta()), failures);
    return new Deleted(done, ready(pods));
  }

  private static int ready(List<OwnPod> pods) {
    return (int) pods.stream().filter(pod -> pod.facts().ready()).count();
  }

  /**
   * Deletes pods that are not to be counted. One that has changed stays: it may have ended, and
   * then it counts. The informer tells how it has changed, and it is looked at again.
   */
  Deleted delete(Job job, List<OwnPod> pods, List<ApiException> failures)
      throws InterruptedException {
    ObjectName name = ObjectName.of(job.meta());
    ObjectReference reference = job.reference();
    expectations.expectDeletions(name, pods.stream().map(OwnPod::uid).collect(Collectors.toSet()));
    Set<OwnPod> changed = ConcurrentHashMap.newKeySet();
    int done =
        Batches.all(
            pods,
            pod -> {
              try {
                if (pod.tracked()) {
                  control.removeFinalizer(pod.facts(), JobPod.FINALIZER, pod.state().version());
                }
                control.delete(pod.facts(), reference);
              } catch (ApiException e) {
                expectations.deleted(name, pod.uid());
                if (e.reason() == Reason.CONFLICT) {
                  boolean unused = changed.add(pod);
                } else if (e.reason() != Reason.NOT_FOUND) {
                  throw e;
                }
              }
            },
            failures);
    unanswered.note(name, failures);
    List<OwnPod> gone = pods.stream().filter(pod -> !changed.contains(pod)).toList();
    return new Deleted(done - changed.size(), ready(gone));
  }

  /**
   * Removes the finalizer of pods; those that do not exist have none.
   *
   * @return the uids of the pods that have none now
   */
  Set<String> removeFinalizers(Job job, List<OwnPod> pods, List<ApiException> failures)
      throws InterruptedException {
    ObjectName name = ObjectName.of(job.meta());
    removals.expect(name, pods.stream().map(OwnPod::uid).toList());
    Set<String> removed = Collections.synchronizedSet(new HashSet<>());
    int unused =
        Batches.all(
            pods,
            pod -> {
              try {
                control.removeFinalizer(pod.facts(), JobPod.FINALIZER);
              } catch (ApiException e) {
                // the informer will not tell it
                removals.observed(name, pod.uid());
                if (e.reason() != Reason.NOT_FOUND) {
                  throw e;
                }
              }
              boolean unusedResult = removed.add(pod.uid());
            },
            failures);
    return Set.copyOf(removed);
  }

  /** Removes the finalizer of a pod that no Job counts. */
  void releaseOrphan(PodFacts pod) throws InterruptedException {
    try {
      control.removeFinalizer(pod, JobPod.FINALIZER);
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
    }
  }

  /**
   * Creates pods.
   *
   * @param indexes of the pods; of a Job without indexes, -1 for each pod
   * @return how many were created
   */
  int create(
      Job job, List<Integer> indexes, Map<Integer, OwnPod> replaced, List<ApiException> failures)
      throws InterruptedException {
    ObjectName name = ObjectName.of(job.meta());
    ObjectReference reference = job.reference();
    MapNode template = template(job);
    Queue<Integer> left = new ConcurrentLinkedQueue<>(new ArrayDeque<>(indexes));
    expectations.expectCreations(name, indexes.size());
    List<ApiException> errors = new ArrayList<>();
    int done =
        Batches.slowStart(
            indexes.size(),
            () -> {
              int index = left.remove();
              if (index < 0) {
                control.create(template, reference);
              } else {
                control.create(
                    indexed(job, template, index, replaced.get(index)),
                    reference,
                    prefix(name.name(), index));
              }
            },
            errors);
    expectations.created(name, indexes.size() - done);
    unanswered.note(name, errors);
    for (ApiException error : errors) {
      if (!error.isNamespaceTerminating()) {
        failures.add(error);
      }
    }
    return done;
  }

  private static String prefix(String job, int index) {
    String end = "-" + index + "-";
    return job.length() + end.length() > LONGEST_PREFIX
        ? job.substring(0, LONGEST_PREFIX - end.length()) + end
        : job + end;
  }

  private static MapNode template(Job job) {
    MapNode template = job.template();
    MapNode metadata = template.map("metadata");
    List<Node> finalizers = new ArrayList<>(metadata.items("finalizers"));
    Node ours = Node.text(JobPod.FINALIZER);
    if (!finalizers.contains(ours)) {
      finalizers.add(ours);
    }
    MapNode spec = template.map("spec");
    if (job.isIndexed()) {
      spec = withVariable(withVariable(spec, "containers"), "initContainers");
    }
    return template
        .with("metadata", metadata.with("finalizers", new Node.Items(finalizers)))
        .with("spec", spec);
  }

  /** Tells containers the index, unless they have the variable. */
  private static MapNode withVariable(MapNode spec, String key) {
    if (!spec.has(key)) {
      return spec;
    }
    List<Node> containers = new ArrayList<>();
    for (MapNode container : spec.maps(key)) {
      boolean has =
          container.maps("env").stream()
              .anyMatch(variable -> variable.text("name").equals(INDEX_VARIABLE));
      List<Node> variables = new ArrayList<>(container.items("env"));
      if (!has) {
        Node path = Node.text("metadata.labels['" + JobPod.INDEX + "']");
        variables.add(
            MapNode.of("name", Node.text(INDEX_VARIABLE))
                .with("valueFrom", MapNode.of("fieldRef", MapNode.of("fieldPath", path))));
      }
      containers.add(container.with("env", new Node.Items(variables)));
    }
    return spec.with(key, new Node.Items(containers));
  }

  private static MapNode indexed(Job job, MapNode template, int index, @Nullable OwnPod replaced) {
    MapNode metadata = template.map("metadata");
    Node number = Node.text(Integer.toString(index));
    MapNode annotations = metadata.map("annotations").with(JobPod.INDEX, number);
    if (job.limitsEachIndex()) {
      boolean counts = replaced != null && job.failurePolicy().match(replaced).counts();
      int failures = replaced == null ? 0 : replaced.state().failures() + (counts ? 1 : 0);
      int ignored = replaced == null ? 0 : replaced.state().ignoredFailures() + (counts ? 0 : 1);
      annotations = annotations.with(JobPod.FAILURES, Node.text(Integer.toString(failures)));
      if (ignored > 0) {
        annotations =
            annotations.with(JobPod.IGNORED_FAILURES, Node.text(Integer.toString(ignored)));
      }
    }
    return template
        .with(
            "metadata",
            metadata
                .with("annotations", annotations)
                .with("labels", metadata.map("labels").with(JobPod.INDEX, number)))
        .with(
            "spec",
            template.map("spec").with("hostname", Node.text(job.meta().name() + "-" + index)));
  }
}
