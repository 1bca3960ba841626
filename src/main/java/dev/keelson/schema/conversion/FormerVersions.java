package dev.keelson.schema.conversion;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of API versions that are not served any more, but that a store may hold, as far as
 * their fields are others than those of the version that replaced them. They are read by the schema
 * of their own version and converted as Kubernetes converts them (source: {@code
 * pkg/apis/GROUP/VERSION/conversion.go} and {@code defaults.go}). Former versions that are not
 * listed have the fields and the protobuf numbers of today's version. Safe for use by several
 * threads.
 *
 * <p>kube-apiserver 1.36 itself stores CustomResourceDefinitions in {@code v1beta1}, which is more
 * compact.
 */
public final class FormerVersions {

  private static final String API = "io.k8s.api.";
  private static final String DEFINITION =
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceDefinition";
  private static final String PRIORITY_LEVEL =
      API + "flowcontrol.v1beta2.PriorityLevelConfiguration";

  /**
   * A row of the table.
   *
   * @param stored the version of the stored value
   * @param message the full name of the message that has its fields
   * @param current the version that {@code conversion} returns
   */
  private record Row(
      GroupVersionKind stored,
      String message,
      GroupVersion current,
      UnaryOperator<MapNode> conversion) {}

  private static final Map<GroupVersionKind, Row> ROWS =
      List.of(
              row(
                  "apiextensions.k8s.io/v1beta1 CustomResourceDefinition",
                  DEFINITION,
                  "v1",
                  DefinitionConversion::toNew),
              row(
                  "apps/v1beta1 Deployment",
                  API + "extensions.v1beta1.Deployment",
                  "v1",
                  DeploymentConversion.INSTANCE::toNew),
              row(
                  "discovery.k8s.io/v1beta1 EndpointSlice",
                  API + "discovery.v1beta1.EndpointSlice",
                  "v1",
                  EndpointSliceConversion::toNew),
              row(
                  "flowcontrol.apiserver.k8s.io/v1alpha1 PriorityLevelConfiguration",
                  PRIORITY_LEVEL,
                  "v1",
                  PriorityLevelConversion::ofAssuredShares),
              row(
                  "flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration",
                  PRIORITY_LEVEL,
                  "v1",
                  PriorityLevelConversion::ofAssuredShares),
              row(
                  "flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration",
                  PRIORITY_LEVEL,
                  "v1",
                  PriorityLevelConversion::ofAssuredShares),
              row(
                  "flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration",
                  API + "flowcontrol.v1.PriorityLevelConfiguration",
                  "v1",
                  PriorityLevelConversion::ofNominalShares),
              row(
                  "networking.k8s.io/v1beta1 Ingress",
                  API + "extensions.v1beta1.Ingress",
                  "v1",
                  IngressConversion.INSTANCE::toNew),
              row(
                  "node.k8s.io/v1alpha1 RuntimeClass",
                  API + "node.v1alpha1.RuntimeClass",
                  "v1",
                  RuntimeClassConversion::toNew),
              row(
                  "policy/v1beta1 PodDisruptionBudget",
                  API + "policy.v1.PodDisruptionBudget",
                  "v1",
                  DisruptionBudgetConversion::toNew),
              row(
                  "resource.k8s.io/v1beta1 ResourceClaim",
                  API + "resource.v1beta1.ResourceClaim",
                  "v1",
                  DeviceConversion::newClaim),
              row(
                  "resource.k8s.io/v1beta1 ResourceClaimTemplate",
                  API + "resource.v1beta1.ResourceClaimTemplate",
                  "v1",
                  DeviceConversion::newTemplate),
              row(
                  "resource.k8s.io/v1beta1 ResourceSlice",
                  API + "resource.v1beta1.ResourceSlice",
                  "v1",
                  DeviceConversion::newSlice))
          .stream()
          .collect(Collectors.toUnmodifiableMap(Row::stored, row -> row));

  private final Function<String, StructSchema> messages;

  /**
   * The former versions.
   *
   * @param messages gives the schema of a message by its full name; asked when a value of a former
   *     version is read
   */
  public FormerVersions(Function<String, StructSchema> messages) {
    this.messages = messages;
  }

  private static Row row(
      String stored, String message, String version, UnaryOperator<MapNode> conversion) {
    int space = stored.indexOf(' ');
    GroupVersion former = GroupVersion.parse(stored.substring(0, space));
    return new Row(
        former.kind(stored.substring(space + 1)),
        message,
        new GroupVersion(former.group(), version),
        conversion);
  }

  /** The former version of a stored value; null if it is read by the schema of a served version. */
  public @Nullable FormerVersion find(GroupVersionKind stored) {
    Row row = ROWS.get(stored);
    return row == null
        ? null
        : new FormerVersion(
            messages.apply(row.message), row.current.kind(stored.kind()), row.conversion);
  }

  /**
   * A former version of a kind.
   *
   * @param schema the shape of its objects
   * @param current the version that replaced it
   */
  public record FormerVersion(
      StructSchema schema, GroupVersionKind current, UnaryOperator<MapNode> conversion) {

    /**
     * An object in the version {@code current}, with its {@code apiVersion}; fields in no special
     * order.
     *
     * @param root an object of {@code schema}
     */
    public MapNode converted(MapNode root) {
      return conversion.apply(root).with("apiVersion", new Text(current.apiVersion()));
    }
  }
}
