package dev.keelson.schema.openapi.gnostic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.openapi.Documents;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.OpenApiDocuments;
import dev.keelson.testing.CustomTypes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GnosticTest {

  private static final String EVERY_KEYWORD =
      CustomTypes.widgets(
          """
          'selectableFields':[{'jsonPath':'.spec.s'}],'subresources':{'status':{},'scale':{}},
          'schema':{'openAPIV3Schema':{'type':'object','title':'t','description':'d',
           'externalDocs':{'description':'d','url':'u'},'x-kubernetes-validations':[{'rule':'true'}],
           'properties':{'spec':{'type':'object','minProperties':1,'maxProperties':9,
            'required':['s'],'x-kubernetes-map-type':'granular','properties':{
             's':{'type':'string','minLength':1,'maxLength':5,'pattern':'a','format':'date',
               'enum':['a'],'default':'a'},
             'n':{'type':'number','minimum':1,'maximum':2.5,'exclusiveMinimum':true,
               'exclusiveMaximum':true,'multipleOf':0.5,'nullable':true},
             'm':{'type':'number','minimum':1,'maximum':2.5,'exclusiveMinimum':true,
               'exclusiveMaximum':true,'multipleOf':0.5},
             'l':{'type':'array','minItems':1,'maxItems':2,'uniqueItems':true,
               'items':{'type':'string'},'x-kubernetes-list-type':'set'},
             'a':{'type':'object','additionalProperties':{'type':'integer'}},
             'b':{'type':'object','additionalProperties':true},
             'e':{'type':'object','x-kubernetes-embedded-resource':true,
               'x-kubernetes-preserve-unknown-fields':true},
             'i':{'x-kubernetes-int-or-string':true},
             'o':{'type':'object','oneOf':[{'required':['x']},{'not':{'required':['y']}}],
               'allOf':[{'properties':{'x':{'minLength':1}}}]}}}}}}
          """);

  private final OpenApiDocuments documents = Documents.plain();

  @Test
  void v2_decodedByFieldNumbers_hasTheContentOfTheJson() throws IOException {
    byte[] protobuf = documents.v2(Format.PROTOBUF).body();

    assertThat(difference("", Documents.v2(documents), GnosticDecoder.v2(protobuf))).isEmpty();
  }

  @Test
  void v3_decodedByFieldNumbers_hasTheContentOfTheJsonButDefaultsThatAreNoScalars()
      throws IOException {
    for (String name : Documents.names(documents)) {
      byte[] protobuf = documents.v3(name, Format.PROTOBUF).orElseThrow().body();
      JsonObject expected = Documents.v3(documents, name);
      dropComposedDefaults(expected);

      assertThat(difference(name, expected, GnosticDecoder.v3(protobuf))).isEmpty();
    }
  }

  @Test
  void customTypes_decodedByFieldNumbers_haveTheContentOfTheJson() throws IOException {
    ResourceCatalog catalog = new ResourceCatalog(Documents.builtIn());
    CustomTypes.serve(catalog, EVERY_KEYWORD);
    OpenApiDocuments custom = Documents.of(catalog);
    String name = "apis/example.com/v1";

    byte[] v2 = custom.v2(Format.PROTOBUF).body();
    byte[] v3 = custom.v3(name, Format.PROTOBUF).orElseThrow().body();

    assertThat(difference("", Documents.v2(custom), GnosticDecoder.v2(v2))).isEmpty();
    JsonObject expected = Documents.v3(custom, name);
    dropComposedDefaults(expected);
    assertThat(difference("", expected, GnosticDecoder.v3(v3))).isEmpty();
  }

  @Test
  void unknownKey_inADocument_isAnErrorAndNotLost() {
    MapNode document = MapNode.of("host", Node.text("example.com"));

    assertThatThrownBy(() -> new Gnostic(ObjectWriter::json).v2(document, List.of(), List.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("gnostic's Document has no field for host");
  }

  private static void dropComposedDefaults(JsonElement element) {
    if (element.isJsonArray()) {
      element.getAsJsonArray().forEach(GnosticTest::dropComposedDefaults);
    } else if (element.isJsonObject()) {
      JsonObject object = element.getAsJsonObject();
      JsonElement value = object.get("default");
      if (value != null && !value.isJsonPrimitive()) {
        object.remove("default");
      }
      for (Map.Entry<String, JsonElement> entry : object.entrySet()) {
        if (entry.getKey().equals("properties")) {
          // The names of properties are no keys of a schema: one is called default.
          entry
              .getValue()
              .getAsJsonObject()
              .asMap()
              .values()
              .forEach(GnosticTest::dropComposedDefaults);
        } else {
          dropComposedDefaults(entry.getValue());
        }
      }
    }
  }

  /**
   * Where two values differ first; empty if they are equal. Whole documents are no help to read.
   */
  private static String difference(String path, @Nullable JsonElement a, @Nullable JsonElement b) {
    if (a instanceof JsonObject some && b instanceof JsonObject other) {
      Set<String> keys = new TreeSet<>(some.keySet());
      keys.addAll(other.keySet());
      return keys.stream()
          .map(key -> difference(path + "/" + key, some.get(key), other.get(key)))
          .filter(difference -> !difference.isEmpty())
          .findFirst()
          .orElse("");
    }
    return Objects.equals(a, b) ? "" : path + ": " + a + " against " + b;
  }
}
