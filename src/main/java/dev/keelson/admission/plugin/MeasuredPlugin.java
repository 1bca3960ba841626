package dev.keelson.admission.plugin;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;

/**
 * Measures a plugin.
 *
 * @param name the name of the plugin
 * @param recorder gets the durations
 */
record MeasuredPlugin(String name, Admission plugin, Recorder recorder) implements Admission {

  /** Takes a duration. */
  @FunctionalInterface
  interface Recorder {
    void record(
        String name, Verb operation, AdmissionMetrics.Phase phase, boolean rejected, long nanos);
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return plugin.handles(operation, resource, subresource);
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    long begun = System.nanoTime();
    boolean rejected = true;
    try {
      ApiObject next = plugin.mutate(call, object);
      rejected = false;
      return next;
    } finally {
      record(call, AdmissionMetrics.Phase.ADMIT, rejected, begun);
    }
  }

  @Override
  public void mutateDelete(AdmissionAttributes call) {
    long begun = System.nanoTime();
    boolean rejected = true;
    try {
      plugin.mutateDelete(call);
      rejected = false;
    } finally {
      record(call, AdmissionMetrics.Phase.ADMIT, rejected, begun);
    }
  }

  @Override
  public void validate(AdmissionAttributes call) {
    long begun = System.nanoTime();
    boolean rejected = true;
    try {
      plugin.validate(call);
      rejected = false;
    } finally {
      record(call, AdmissionMetrics.Phase.VALIDATE, rejected, begun);
    }
  }

  private void record(
      AdmissionAttributes call, AdmissionMetrics.Phase phase, boolean rejected, long begun) {
    recorder.record(name, call.operation(), phase, rejected, System.nanoTime() - begun);
  }
}
