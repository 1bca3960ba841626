package dev.keelson.blackbox.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.crd.generator.annotation.SelectableField;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The desired state of a garden. A field that is null was not sent. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.helpers < 5 || self.gardener != 'nobody'",
    message = "helpers need a gardener",
    fieldPath = ".helpers")
public final class GardenSpec {

  /** Who cares for it. */
  @Pattern("^[a-z]+$")
  @PrinterColumn(name = "Gardener")
  @SelectableField
  @Default("nobody")
  public @Nullable String gardener;

  /** How many helpers it has. */
  @SpecReplicas
  @Min(0)
  @Max(9)
  @Default("1")
  public @Nullable Integer helpers;

  /** The names of its beds. */
  public @Nullable List<String> beds;

  /** What grows in each bed. */
  public @Nullable Map<String, String> plants;

  /** With beds, and the rest left to the defaults. */
  public static GardenSpec of(String... beds) {
    GardenSpec spec = new GardenSpec();
    spec.beds = List.of(beds);
    return spec;
  }
}
