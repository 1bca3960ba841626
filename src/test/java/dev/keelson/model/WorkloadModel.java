package dev.keelson.model;

import dev.keelson.object.ApiObject;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A workload of the model, with the label {@code app} of its name on its pods. Between two settled
 * states there are some random changes and faults; the rules count all specs of that time, since a
 * controller may act by any of them.
 *
 * <p>{@link #podChanged} is called by the thread of a watch, the others by that of the test: an
 * implementation has one lock.
 */
interface WorkloadModel {

  /** The name of the workload and the value of the label of its pods. */
  String name();

  /** Creates the workload, which must settle before the first change. */
  void begin() throws InterruptedException;

  /** Makes a random change of the spec and returns what it was. */
  String change(RandomGenerator random) throws InterruptedException;

  /**
   * Is told the states of the workload's pods, in order.
   *
   * @param before null for a new pod
   * @param after null for a pod that is gone
   */
  void podChanged(@Nullable ApiObject before, @Nullable ApiObject after);

  /** Is told that a pod is about to fail, or to be deleted by a user. */
  void disturbed();

  /** Why the workload has not reached what its spec asks for; empty if it has. */
  Optional<String> unsettled() throws InterruptedException;

  /** Is told that everything is settled. */
  void settled() throws InterruptedException;
}
