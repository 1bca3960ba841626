package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;
import java.util.function.UnaryOperator;

/**
 * Computes the new state of an object from the current one; both are in the stored version. May run
 * several times for one request, once for each attempt (source: the {@code tryUpdate} of
 * kube-apiserver's {@code GuaranteedUpdate}).
 */
@FunctionalInterface
public interface UpdateFunction {

  /** The new state for {@code current}, which has its resourceVersion. */
  ApiObject apply(ApiObject current);

  /** Whether the new state already has its {@code managedFields}. */
  default boolean recordsFields() {
    return false;
  }

  /** What admission sees of the update. */
  default AdmittedView view() {
    return AdmittedView.WHOLE;
  }

  /**
   * An update without field management, as in kube-apiserver: the fields that it sets have no
   * manager.
   */
  static UpdateFunction untracked(UnaryOperator<ApiObject> update) {
    return new UpdateFunction() {
      @Override
      public ApiObject apply(ApiObject current) {
        return update.apply(current);
      }

      @Override
      public boolean recordsFields() {
        return true;
      }
    };
  }
}
