package dev.keelson.blackbox.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import org.jspecify.annotations.Nullable;

/** The observed state of a garden. A field that is null was not sent. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public final class GardenStatus {

  /** The generation that has been reconciled. */
  public @Nullable Long observedGeneration;

  /** The number of beds. */
  @PrinterColumn(name = "Beds")
  public @Nullable Integer beds;

  /** The number of helpers. */
  @StatusReplicas public @Nullable Integer helpers;
}
