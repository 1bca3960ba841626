package dev.keelson.http.verb;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.http.Query;
import dev.keelson.http.media.BodyReader;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectPatch;
import dev.keelson.registry.fieldmanager.AppliedConfiguration;
import dev.keelson.registry.fieldmanager.ApplyPatch;
import dev.keelson.registry.fieldmanager.FieldManager;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.Untyped;
import java.util.List;

/** Server-side apply: the body is an applied configuration in YAML or JSON. */
final class ApplyFormat implements PatchFormat {

  private static final GroupVersionKind OPTIONS =
      new GroupVersionKind("meta.k8s.io", "v1", "PatchOptions");

  private final FieldManager fields;

  ApplyFormat(FieldManager fields) {
    this.fields = fields;
  }

  @Override
  public String mediaType() {
    return "application/apply-patch+yaml";
  }

  @Override
  public boolean fits(ResourceDefinition definition) {
    return true;
  }

  @Override
  public ObjectPatch read(ResourceCall call) {
    Query query = call.request().query();
    String manager = query.first("fieldManager");
    if (manager.isEmpty()) {
      throw ApiException.invalid(
          OPTIONS, "", List.of(FieldCause.required("fieldManager", "is required for apply patch")));
    }
    FieldValidation validation = BodyReader.fieldValidation(call.request());
    Untyped document = document(call.request().body(), validation);
    MapNode root = object(document.root());
    return new ApplyPatch(
        fields,
        call.definition(),
        new AppliedConfiguration(root, manager, call.info().subresource(), force(query)),
        document.problems(),
        validation,
        call.exchange().context()::warn);
  }

  private static MapNode object(Node document) {
    return switch (document) {
      case MapNode map -> map;
      case Node.Null _ -> MapNode.EMPTY;
      case Node.Items _ -> throw noObject("array");
      case Node.Text _ -> throw noObject("string");
      case Node.Bool _ -> throw noObject("bool");
      case Node.Int _, Node.Decimal _ -> throw noObject("number");
    };
  }

  private static ApiException noObject(String what) {
    return ApiException.badRequest(
        "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal "
            + what
            + " into Go value of type map[string]interface {}");
  }

  /** A parameter without a value is true, as for every boolean parameter. */
  private static boolean force(Query query) {
    String value = query.first("force");
    return query.has("force") && !value.equalsIgnoreCase("false") && !value.equals("0");
  }

  private static Untyped document(byte[] body, FieldValidation validation) {
    try {
      return ObjectReader.untypedYaml(body, validation, TreeBudget.forBody(body.length));
    } catch (DecodeException e) {
      if (e.fault() == Fault.SIZE) {
        throw new ApiException(Reason.REQUEST_ENTITY_TOO_LARGE, e.text());
      }
      throw ApiException.badRequest("error decoding YAML: " + e.text());
    }
  }
}
