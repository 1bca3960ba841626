package dev.keelson.schema.openapi.gnostic;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads gnostic's messages back into JSON. The field numbers are those of gnostic-models'
 * OpenAPIv2.proto and OpenAPIv3.proto, in a notation of its own:
 *
 * <pre>
 * key=1       a string             key=1?      a bool
 * key=1[]     repeated strings     key=1~      repeated Any
 * key=1:T     a message            key=1[]:T   repeated messages
 * key=1{}:T   a message with named messages in its field 1
 * *=1{}:T     named messages whose names are keys here
 * *=1:T       the message stands for this one (also *=1, *=1?)
 * key=1#      a double             key=1+      an integer
 * x=1         named Any: extensions
 * </pre>
 */
final class GnosticDecoder {

  private static final String V2 =
      """
      Document: swagger=1 info=2:Info paths=8:Paths definitions=9{}:Schema
        parameters=10{}:Parameter security=12[]:SecurityRequirement
        securityDefinitions=13{}:SecurityDefinitionsItem x=16
      Info: title=1 version=2
      Paths: *=2{}:PathItem
      SecurityRequirement: *=1{}:StringArray
      StringArray: *=1[]
      SecurityDefinitionsItem: *=2:ApiKeySecurity
      ApiKeySecurity: type=1 name=2 in=3 description=4
      PathItem: get=2:Operation put=3:Operation post=4:Operation delete=5:Operation
        options=6:Operation head=7:Operation patch=8:Operation parameters=9[]:ParametersItem x=10
      Operation: tags=1[] description=3 operationId=5 produces=6[] consumes=7[]
        parameters=8[]:ParametersItem responses=9{}:ResponseValue schemes=10[] x=13
      ParametersItem: *=1:Parameter *=2:JsonReference
      JsonReference: $ref=1
      Parameter: *=1:BodyParameter *=2:NonBodyParameter
      NonBodyParameter: *=3:QueryParameterSubSchema *=4:PathParameterSubSchema
      BodyParameter: description=1 name=2 in=3 required=4? schema=5:Schema
      QueryParameterSubSchema: required=1? in=2 description=3 name=4 type=6 uniqueItems=20?
      PathParameterSubSchema: required=1? in=2 description=3 name=4 type=5 uniqueItems=19?
      ResponseValue: *=1:Response
      Response: description=1 schema=2:SchemaItem
      SchemaItem: *=1:Schema
      Schema: $ref=1 format=2 title=3 description=4 multipleOf=6# maximum=7# exclusiveMaximum=8?
        minimum=9# exclusiveMinimum=10? maxLength=11+ minLength=12+ pattern=13 maxItems=14+
        minItems=15+ uniqueItems=16? maxProperties=17+ minProperties=18+ required=19[] enum=20~
        additionalProperties=21:AdditionalPropertiesItem type=22:TypeItem items=23:ItemsItem
        properties=25{}:Schema externalDocs=29:ExternalDocs x=31
      ExternalDocs: description=1 url=2
      AdditionalPropertiesItem: *=1:Schema *=2?
      TypeItem: *=1
      ItemsItem: *=1:Schema
      """;

  private static final String V3 =
      """
      Document: openapi=1 info=2:Info paths=4:Paths components=5:Components
      Info: title=1 version=6
      Paths: *=1{}:PathItem
      Components: schemas=1{}:SchemaOrReference securitySchemes=7{}:SecuritySchemeOrReference
      SecuritySchemeOrReference: *=1:SecurityScheme
      SecurityScheme: type=1 description=2 name=3 in=4
      PathItem: get=4:Operation put=5:Operation post=6:Operation delete=7:Operation
        options=8:Operation head=9:Operation patch=10:Operation
        parameters=13[]:ParameterOrReference
      Operation: tags=1[] description=3 operationId=5 parameters=6[]:ParameterOrReference
        requestBody=7:RequestBodyOrReference responses=8:Responses x=13
      ParameterOrReference: *=1:Parameter
      Parameter: name=1 in=2 description=3 required=4? schema=10:SchemaOrReference
      RequestBodyOrReference: *=1:RequestBody
      RequestBody: content=2{}:MediaType required=3?
      Responses: *=2{}:ResponseOrReference
      ResponseOrReference: *=1:Response
      Response: description=1 content=3{}:MediaType
      MediaType: schema=1:SchemaOrReference
      SchemaOrReference: *=1:Schema *=2:Reference
      Reference: $ref=1
      Schema: nullable=1? externalDocs=6:ExternalDocs title=9 multipleOf=10# maximum=11#
        exclusiveMaximum=12? minimum=13# exclusiveMinimum=14? maxLength=15+ minLength=16+
        pattern=17 maxItems=18+ minItems=19+ uniqueItems=20? maxProperties=21+ minProperties=22+
        required=23[] enum=24~ type=25 allOf=26[]:SchemaOrReference
        oneOf=27[]:SchemaOrReference anyOf=28[]:SchemaOrReference not=29:Schema
        items=30:ItemsItem properties=31{}:SchemaOrReference
        additionalProperties=32:AdditionalPropertiesItem default=33:DefaultType description=34
        format=35 x=36
      ItemsItem: *=1:SchemaOrReference
      ExternalDocs: description=1 url=2
      AdditionalPropertiesItem: *=1:SchemaOrReference *=2?
      DefaultType: *=1# *=2? *=3
      """;

  private static final Pattern FIELD =
      Pattern.compile("(\\S+?)=(\\d+)(\\[\\]|\\{\\}|\\?|~|#|\\+|)(?::(\\w+))?");

  private final Map<String, Map<Integer, Field>> messages = new HashMap<>();

  private record Field(String key, String shape, String type) {}

  private GnosticDecoder(String notation) {
    for (String message : notation.replaceAll("\n +", " ").split("\n", -1)) {
      int colon = message.indexOf(": ");
      if (colon > 0) {
        Map<Integer, Field> fields = new HashMap<>();
        Matcher matcher = FIELD.matcher(message.substring(colon + 2));
        while (matcher.find()) {
          String type = matcher.group(4) == null ? "" : matcher.group(4);
          fields.put(
              Integer.parseInt(matcher.group(2)),
              new Field(matcher.group(1), matcher.group(3), type));
        }
        messages.put(message.substring(0, colon).strip(), fields);
      }
    }
  }

  /** The JSON that an {@code openapi.v2.Document} stands for. */
  static JsonObject v2(byte[] bytes) throws IOException {
    return new GnosticDecoder(V2)
        .message("Document", CodedInputStream.newInstance(bytes))
        .getAsJsonObject();
  }

  /** The JSON that an {@code openapi.v3.Document} stands for. */
  static JsonObject v3(byte[] bytes) throws IOException {
    return new GnosticDecoder(V3)
        .message("Document", CodedInputStream.newInstance(bytes))
        .getAsJsonObject();
  }

  private JsonElement message(String name, CodedInputStream in) throws IOException {
    Map<Integer, Field> fields = messages.getOrDefault(name, Map.of());
    JsonObject object = new JsonObject();
    JsonElement stand = null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      Field field = fields.get(number);
      if (field == null) {
        throw new AssertionError(name + " has no field " + number);
      }
      if (field.key.equals("x")) {
        named(in.readBytes().newCodedInput(), object, "");
      } else if (field.key.equals("*") && field.shape.equals("{}")) {
        named(in.readBytes().newCodedInput(), object, field.type);
      } else if (field.key.equals("*") && field.shape.equals("[]")) {
        stand = appended(stand == null ? new JsonArray() : stand, value(field, in));
      } else if (field.key.equals("*")) {
        stand = value(field, in);
      } else if (field.shape.equals("[]") || field.shape.equals("~")) {
        JsonElement known = object.get(field.key);
        object.add(field.key, appended(known == null ? new JsonArray() : known, value(field, in)));
      } else {
        object.add(field.key, value(field, in));
      }
    }
    boolean array =
        fields.values().stream().allMatch(f -> f.key.equals("*") && f.shape.equals("[]"));
    return stand != null ? stand : array ? new JsonArray() : object;
  }

  private static JsonElement appended(JsonElement array, JsonElement item) {
    array.getAsJsonArray().add(item);
    return array;
  }

  private JsonElement value(Field field, CodedInputStream in) throws IOException {
    return switch (field.shape) {
      case "?" -> new JsonPrimitive(in.readBool());
      case "#" -> number(in.readDouble());
      case "+" -> new JsonPrimitive(in.readInt64());
      case "~" -> any(in.readBytes().newCodedInput());
      case "{}" -> {
        JsonObject object = new JsonObject();
        CodedInputStream wrapper = in.readBytes().newCodedInput();
        for (int tag = wrapper.readTag(); tag != 0; tag = wrapper.readTag()) {
          named(wrapper.readBytes().newCodedInput(), object, field.type);
        }
        yield object;
      }
      default ->
          field.type.isEmpty()
              ? new JsonPrimitive(in.readString())
              : message(field.type, in.readBytes().newCodedInput());
    };
  }

  /** Reads a name and a value (an Any if {@code type} is empty) into {@code object}. */
  private void named(CodedInputStream in, JsonObject object, String type) throws IOException {
    String name = "";
    JsonElement value = type.isEmpty() ? JsonParser.parseString("{}") : null;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == 1) {
        name = in.readString();
      } else {
        CodedInputStream inner = in.readBytes().newCodedInput();
        value = type.isEmpty() ? any(inner) : message(type, inner);
      }
    }
    object.add(name, value);
  }

  private static JsonElement any(CodedInputStream in) throws IOException {
    if (WireFormat.getTagFieldNumber(in.readTag()) != 2) {
      throw new AssertionError("an Any must have YAML only");
    }
    return JsonParser.parseString(in.readString());
  }

  private static JsonElement number(double value) {
    return value == Math.rint(value) ? new JsonPrimitive((long) value) : new JsonPrimitive(value);
  }
}
