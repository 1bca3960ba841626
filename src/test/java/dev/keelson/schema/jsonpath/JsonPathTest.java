package dev.keelson.schema.jsonpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.TreeJson;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class JsonPathTest {

  private static final MapNode OBJECT =
      CustomTypes.tree(
          """
          {'a':1,'b':'text','c':{'d':{'e':true},'x.y':'dotted','n':null},
           'list':[1,2,3,4,5],'texts':['x','y'],'half':2.5,
           'conditions':[{'type':'Ready','status':'True','count':3,'tags':['m']},
             {'type':'Synced','status':'False','count':5,'ratio':1.5},{'status':'Unknown'}]}
          """);

  private static String found(String path) {
    Items found = new Items(JsonPath.of(path).find(OBJECT));
    return new String(TreeJson.write(found), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      textBlock =
          """
          .a # [1]
          a # []
          .missing # []
          .missing.more # []
          .a.below # []
          .c.d.e # [true]
          $.c.d.e # [true]
          @.c.d.e # [true]
          .c['d']['e'] # [true]
          ['b'] # ['text']
          .c.x\\.y # ['dotted']
          .c['x\\.y'] # ['dotted']
          .c.n # [null]
          .c.n.more # []
          .list[0] # [1]
          .list[-1] # [5]
          .list[-5] # [1]
          .list[-6] # []
          .list[5] # []
          .list[1:3] # [2,3]
          .list[:2] # [1,2]
          .list[3:] # [4,5]
          .list[-2:] # [4,5]
          .list[1:1] # []
          .list[3:1] # []
          .list[0:9] # []
          .list[::2] # [1,3,5]
          .list[0:5:2] # [1,3,5]
          .list[0:5:0] # []
          .list[0:5:-1] # []
          .list[] # [1]
          .list[*] # [1,2,3,4,5]
          .list.* # [1,2,3,4,5]
          .list[0,2] # [1,3]
          .list[0, 1:3] # [1,2,3]
          ['a','b'] # [1,'text']
          .b[0] # []
          .c[0] # []
          .conditions[0].type # ['Ready']
          .conditions[*].type # ['Ready','Synced']
          .conditions[?(@.type=="Ready")].status # ['True']
          .conditions[?(@.type=='Synced')].status # ['False']
          .conditions[?(@.type == "Synced")].status # ['False']
          .conditions[?(@.type!="Ready")].status # ['False']
          .conditions[?(@.type)].status # ['True','False']
          .conditions[?(@.count>3)].type # ['Synced']
          .conditions[?(@.count>=3)].type # ['Ready','Synced']
          .conditions[?(@.count<5)].type # ['Ready']
          .conditions[?(@.count<=5)].type # ['Ready','Synced']
          .conditions[?(@.ratio>1.2)].type # ['Synced']
          .conditions[?(@.ratio>1)].type # []
          .conditions[?(@.count=="3")].type # []
          .conditions[?(@.count===3)].type # []
          .conditions[?(@.tags[0]=="m")].type # ['Ready']
          .conditions[?(@.type<"S")].type # ['Ready']
          .conditions[?(@.status=="a)b")].type # []
          .list[?(@>3)] # [4,5]
          .c[?(@.e)] # []
          .c.d[?(@.e==true)] # []
          ..type # ['Ready','Synced']
          ..e # [true]
          .c..e # [true]
          .c.*.e # [true]
          .a}{.b # [1]
          .a}text # [1]
          """)
  void paths_findValuesAsClientGo(String path, String expected) {
    assertThat(found(path)).isEqualTo(expected);
  }

  @Test
  void emptyPath_isTheObject() {
    assertThat(JsonPath.of("").find(OBJECT)).containsExactly(OBJECT);
  }

  @Test
  void truthValues_areComparedForEqualityOnly() {
    MapNode object = CustomTypes.tree("{'list':[{'on':true,'n':1},{'on':false,'n':2}]}");

    assertThat(JsonPath.of(".list[?(@.on==true)].n").find(object)).containsExactly(new Node.Int(1));
    assertThat(JsonPath.of(".list[?(@.on!=true)].n").find(object)).containsExactly(new Node.Int(2));
    assertThat(JsonPath.of(".list[?(@.on<true)].n").find(object)).isEmpty();
  }

  @Test
  void quotedText_hasGoEscapes() {
    MapNode object = CustomTypes.tree("{'list':[{'k':'A\tB','n':1}]}".replace("\t", "\\t"));

    assertThat(JsonPath.of(".list[?(@.k==\"A\\tB\")].n").find(object)).hasSize(1);
    assertThat(JsonPath.of(".list[?(@.k==\"\\x41\\u0009\\102\")].n").find(object)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".a[",
        ".a[x]",
        ".a['x]",
        ".a[1:2:3:4]",
        ".a[99999999999]",
        ".a[-]",
        ".a[?(@.b==\"x\"]",
        ".a[?(@.b)",
        ".a[?(@.b) ]",
        ".a[?(@.b==\"x)]",
        "....a",
        "..\n",
        "\"open",
        "'bad\\q'",
        "'\\x4'",
        "'\\U99999999'",
        ".a#",
        ".a[0,x]",
        "-",
        "1.2.3",
        "%",
        "..*",
        ".a\n"
      })
  void malformedPaths_areErrors(String path) {
    String text = path.equals(".a#") ? ".a #" : path;

    assertThatThrownBy(() -> JsonPath.of(text)).isInstanceOf(ValueFormatException.class);
  }

  @Test
  void keywordsOfTemplates_findNothing() {
    assertThat(JsonPath.of("range .list[*]").find(OBJECT)).isEmpty();
    assertThat(JsonPath.of(".a}{end").find(OBJECT)).isEmpty();
  }

  @Test
  void fields_endBeforeTheFirstOtherStep() {
    assertThat(JsonPath.of(".spec.replicas").fields()).containsExactly("spec", "replicas");
    assertThat(JsonPath.of(".status.conditions[?(@.type==\"Ready\")].status").fields())
        .containsExactly("status", "conditions");
    assertThat(JsonPath.of("..name").fields()).isEmpty();
    assertThat(JsonPath.of(".a}{.b").fields()).isEmpty();
  }

  @Test
  void pathThatMultiplies_endsWithoutAResult() {
    Node deep = new Node.Int(1);
    for (int i = 0; i < 60; i++) {
      deep = MapNode.of("k", new Items(Collections.nCopies(4, deep)));
    }
    MapNode object = MapNode.of("a", deep);

    assertThat(JsonPath.of("..k..k..k[*]..k").find(object)).isEqualTo(List.of());
  }

  @Test
  void longPath_isReadInLinearTime() {
    JsonPath path = JsonPath.of(".a".repeat(200_000));

    assertThat(path.find(OBJECT)).isEmpty();
  }
}
