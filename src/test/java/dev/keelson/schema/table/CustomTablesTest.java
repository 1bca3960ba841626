package dev.keelson.schema.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.json.Excerpt;
import dev.keelson.testing.CustomTypes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class CustomTablesTest {

  private static final Instant NOW = Instant.parse("2025-01-01T01:00:00Z");

  private static final MapNode OBJECT =
      CustomTypes.tree(
          """
          {'apiVersion':'example.com/v1','kind':'Widget',
           'metadata':{'name':'x','creationTimestamp':'2025-01-01T00:00:00Z',
             'annotations':{'a.b/c':'note'}},
           'spec':{'text':'t','whole':7,'large':1500000.5,'half':2.50,'on':true,'none':null,
             'time':'2025-01-01T00:58:00Z','zone':'2025-01-01T02:30:00.5+02:00','empty':'',
             'map':{'b':[1,{'d':2,'c':1.50}],'a':'<x>'},'list':['p','q'],'huge':1e300,
             'beyond':9223372036854775808}}
          """);

  private static TableDefinition table(String columns) {
    CustomResourceVersion version =
        Objects.requireNonNull(
            CustomTypes.rows(CustomTypes.widgets("'additionalPrinterColumns':" + columns))
                .getFirst()
                .custom());
    return CustomTables.of(version, ObjectWriter::json);
  }

  private static String column(String type, String path) {
    return "{'name':'C','type':'%s','jsonPath':'%s'}".formatted(type, path);
  }

  private static String cell(String type, String path) {
    TableDefinition table = table("[" + column(type, path) + "]");
    List<Node> cells = table.row(OBJECT, NOW).cells();
    if (!table.fields().isEmpty()) {
      byte[] json = ObjectWriter.json(OBJECT);
      MapNode read =
          Objects.requireNonNull(Excerpt.of(table.fields()).withNulls().read(json, 0, json.length))
              .root();
      assertThat(table.row(read, NOW).cells()).isEqualTo(cells);
    }
    assertThat(cells.getFirst()).isEqualTo(Node.text("x"));
    return new String(ObjectWriter.json(cells.getLast()), StandardCharsets.UTF_8)
        .replace('"', '\'')
        .strip();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      textBlock =
          """
          string # .spec.text # 't'
          string # .spec.whole # '7'
          string # .spec.large # '1.5000005e+06'
          string # .spec.half # '2.5'
          string # .spec.on # 'true'
          string # .spec.none # '\\u003cno value\\u003e'
          string # .spec.list # '[\\'p\\',\\'q\\']'
          string # .spec.list[*] # 'p'
          string # .spec.missing # null
          string # .spec.empty # ''
          string # .spec.list[9] # null
          integer # .spec.whole # 7
          integer # .spec.large # 1500000
          integer # .spec.text # null
          integer # .spec.none # null
          integer # .spec.on # null
          number # .spec.whole # 7
          number # .spec.half # 2.5
          number # .spec.huge # 1e+300
          number # .spec.beyond # 9223372036854776000
          number # .spec.text # null
          boolean # .spec.on # true
          boolean # .spec.text # null
          date # .spec.time # '2m'
          date # .spec.zone # '29m'
          date # .spec.text # '\\u003cinvalid\\u003e'
          date # .spec.empty # '\\u003cunknown\\u003e'
          date # .spec.whole # null
          date # .spec.missing # null
          date # .metadata.creationTimestamp # '60m'
          string # .metadata.name # 'x'
          string # .metadata.annotations.a\\\\.b/c # 'note'
          string # .metadata.annotations # '{\\'a.b/c\\':\\'note\\'}'
          string # ..text # 't'
          string # .kind # 'Widget'
          string # .apiVersion # 'example.com/v1'
          string # .metadata.resourceVersion # null
          """)
  void cells_areThoseOfKubernetes(String type, String path, String expected) {
    assertThat(cell(type, path)).isEqualTo(expected);
  }

  @Test
  void objectAsText_isJsonWithSortedKeysAndGoEscapes() {
    assertThat(cell("string", ".spec.map"))
        .isEqualTo("'{\\'a\\':\\'\\\\u003cx\\\\u003e\\',\\'b\\':[1,{\\'c\\':1.5,\\'d\\':2}]}'");
  }

  @Test
  void withoutColumns_nameAndAge() {
    TableDefinition table = table("[]");

    assertThat(table.columns())
        .extracting(Column::name, Column::type, Column::format)
        .containsExactly(tuple("Name", "string", "name"), tuple("Age", "date", ""));
    assertThat(table.row(OBJECT, NOW).cells()).containsExactly(Node.text("x"), Node.text("60m"));
  }

  @Test
  void ages_ofManyColumns_areLeftOpenInTemplate() {
    String column = "{'name':'A','type':'date','jsonPath':'.metadata.creationTimestamp'}";
    TableDefinition table = table("[" + String.join(",", Collections.nCopies(300, column)) + "]");
    CellTemplate template =
        CellTemplate.of(
            table, OBJECT, printed -> ObjectWriter.json(new Node.Items(printed.cells())));

    for (Instant at : List.of(NOW, NOW.plusSeconds(86_400))) {
      assertThat(TablesTest.written(template, at))
          .isEqualTo(ObjectWriter.json(new Node.Items(table.row(OBJECT, at).cells())));
    }
  }

  @Test
  void columns_areAsDeclared() {
    TableDefinition table =
        table(
            "[{'name':'A','type':'integer','format':'int32','priority':1,'description':'About A',"
                + "'jsonPath':'.spec.a'},{'name':'B','type':'string','jsonPath':'.spec.b'}]");

    assertThat(table.columns().subList(1, 3))
        .containsExactly(
            new Column("A", "integer", "int32", "About A", 1),
            new Column(
                "B",
                "string",
                "",
                "Custom resource definition column (in JSONPath format): .spec.b",
                0));
  }

  @Test
  void unreadablePath_endsTheColumns() {
    TableDefinition table =
        table(
            "["
                + column("string", ".spec.text")
                + ","
                + column("string", ".spec[")
                + ","
                + column("string", ".spec.on")
                + "]");

    assertThat(table.columns()).hasSize(2);
  }

  @Test
  void fields_areThePrefixesOfThePaths() {
    assertThat(
            table(
                    "["
                        + column("string", ".spec.a.b[0].c")
                        + ","
                        + column("string", ".spec.a.b.d")
                        + ","
                        + column("string", ".status.conditions[?(@.x)].y")
                        + "]")
                .fields())
        .containsExactly("metadata.name", "spec.a.b", "status.conditions");
  }
}
