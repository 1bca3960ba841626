package dev.keelson.schema.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResetFields.FieldFilter;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server-side apply by the list and map types that a structural schema declares. */
class CustomShapesTest {

  private static final StructuralSchema SCHEMA =
      StructuralSchema.of(
          tree(
              """
              {'type':'object','properties':{
               'atoms':{'type':'array','items':{'type':'string'}},
               'set':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},
               'map':{'type':'array','x-kubernetes-list-type':'map',
                 'x-kubernetes-list-map-keys':['name','protocol'],
                 'items':{'type':'object','properties':{'name':{'type':'string'},
                   'protocol':{'type':'string','default':'TCP'},'port':{'type':'integer'}}}},
               'pairs':{'type':'array','x-kubernetes-list-type':'map',
                 'x-kubernetes-list-map-keys':['a','b'],
                 'items':{'type':'object','properties':{'a':{'type':'string'},
                   'b':{'type':'string'},'c':{'type':'string'}}}},
               'labels':{'type':'object','additionalProperties':{'type':'string'}},
               'whole':{'type':'object','x-kubernetes-map-type':'atomic',
                 'properties':{'a':{'type':'string'}}},
               'open':{'type':'object','x-kubernetes-preserve-unknown-fields':true},
               'any':{'x-kubernetes-preserve-unknown-fields':true},
               'port':{'x-kubernetes-int-or-string':true},
               'sub':{'type':'object','properties':{'a':{'type':'string'},
                 'b':{'type':'string','default':'default'}}},
               'ok':{'type':'boolean'}}}
              """));

  private static MapNode tree(String json) {
    return (MapNode) TreeJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'atoms':['a']}                 | {'f:atoms':{}}
          {'set':['a']}                   | {'f:set':{'v:\\"a\\"':{}}}
          {'map':[{'name':'a','port':1}]} | {'f:map':{'k:{\\"name\\":\\"a\\",\\"protocol\\":\\"TCP\\"}':{'.':{},'f:name':{},'f:port':{}}}}
          {'labels':{'x':'y'}}            | {'f:labels':{'f:x':{}}}
          {'whole':{'a':'b'}}             | {'f:whole':{}}
          {'open':{'a':{'b':[1]}}}        | {'f:open':{'f:a':{'.':{},'f:b':{}}}}
          {'any':{'a':1}}                 | {'f:any':{'f:a':{}}}
          {'port':{}}                     | {'f:port':{}}
          """)
  void fields_areOwnedAsDeclared(String object, String fields) {
    MapNode owned = Extraction.of(SCHEMA, tree(object)).tree();

    assertThat(owned).isEqualTo(tree(fields));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'f:atoms':{'v:\\"a\\"':{},'v:\\"b\\"':{}}}     | {'f:atoms':{}}
          {'f:whole':{'.':{},'f:a':{}},'f:ok':{}}       | {'f:whole':{},'f:ok':{}}
          {'f:labels':{'f:x':{'f:y':{}}}}               | {'f:labels':{'f:x':{'f:y':{}}}}
          {'f:set':{'.':{},'v:\\"a\\"':{}},'f:whole':{}}  | {'f:set':{'.':{},'v:\\"a\\"':{}},'f:whole':{}}
          """)
  void ownersOfPartsOfWhatHasBecomeAtomic_ownTheWhole(String before, String after) {
    FieldSet set = new FieldSet(tree(before));

    FieldSet reconciled = set.reconciled(SCHEMA);

    assertThat(reconciled.tree()).isEqualTo(tree(after));
    assertThat(reconciled == set).isEqualTo(before.strip().equals(after.strip()));
  }

  @Test
  void keyedItems_areMerged_atomicListsReplaced() {
    MapNode merged =
        Merge.of(
            SCHEMA,
            tree(
                "{'atoms':['a'],'map':[{'name':'a','protocol':'TCP','port':1},{'name':'b','port':2}]}"),
            tree("{'atoms':['c'],'map':[{'name':'b','port':3}]}"));

    assertThat(merged)
        .isEqualTo(
            tree(
                "{'atoms':['c'],'map':[{'name':'a','protocol':'TCP','port':1},{'name':'b','port':3}]}"));
  }

  @Test
  void changes_areComparedItemByItem() {
    Comparison changes =
        Comparison.of(
            SCHEMA,
            tree("{'set':['a','b'],'whole':{'a':'1'}}"),
            tree("{'set':['b','c'],'whole':{'a':'2'}}"));

    assertThat(changes.added().tree()).isEqualTo(tree("{'f:set':{'v:\\\"c\\\"':{}}}"));
    assertThat(changes.removed().tree()).isEqualTo(tree("{'f:set':{'v:\\\"a\\\"':{}}}"));
    assertThat(changes.modified().tree()).isEqualTo(tree("{'f:whole':{}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'a':{'b':1,'c':{'d':1}}} | {'a':[1]}       | {}                      | {'f:a':{'f:b':{},'f:c':{'.':{},'f:d':{}}}}
          {'a':5}                   | {'a':{'b':1}}   | {'f:a':{'f:b':{}}}      | {}
          {'a':{}}                  | {'a':5}         | {}                      | {}
          """)
  void keysOfUntypedObjects_comeAndGoWithThem(
      String before, String after, String added, String removed) {
    Comparison changes =
        Comparison.of(SCHEMA, tree("{'open':" + before + "}"), tree("{'open':" + after + "}"));

    assertThat(changes.modified().tree()).isEqualTo(tree("{'f:open':{'f:a':{}}}"));
    assertThat(changes.added().tree()).isEqualTo(below(added));
    assertThat(changes.removed().tree()).isEqualTo(below(removed));
  }

  private static MapNode below(String fields) {
    return tree(fields).isEmpty() ? MapNode.EMPTY : MapNode.of("f:open", tree(fields));
  }

  @Test
  void structThatIsAppliedNoMore_isRemoved_withWhatNobodyOwns() {
    Ownership rules =
        new Ownership(
            new Versions() {
              @Override
              public SchemaNode schema(String apiVersion) {
                return SCHEMA;
              }

              @Override
              public MapNode convert(MapNode object, String from, String to) {
                return object;
              }
            },
            "v1",
            SCHEMA,
            FieldFilter.ALL);
    Managers managers = Managers.none();
    ManagedEntry.Id one = ManagedEntry.Id.apply("one", "");
    Ownership.Outcome first =
        rules.apply(managers, MapNode.EMPTY, tree("{'ok':true,'sub':{'a':'1'}}"), one, false, "");
    assertThat(first).isInstanceOf(Ownership.Applied.class);
    MapNode defaulted = tree("{'ok':true,'sub':{'a':'1','b':'default'}}");

    Ownership.Outcome second =
        rules.apply(managers, defaulted, tree("{'ok':true}"), one, false, "");

    assertThat(second)
        .isInstanceOfSatisfying(
            Ownership.Applied.class,
            applied -> assertThat(applied.object()).isEqualTo(tree("{'ok':true}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'unknown':1}                        | .unknown: field not declared in schema
          {'map':[{'port':1}]}                 | ``
          {'pairs':[{'b':'1'},{'a':'1'}]}      | ``
          {'pairs':[{'c':'1'}]}                | .pairs: element 0: associative list with keys has an element that omits all key fields ["a" "b"] (and doesn't have default values for any key fields)
          {'pairs':[{'b':'1'},{'b':'1'}]}      | .pairs: duplicate entries for key [b="1"]
          {'map':[{'name':'a'},{'name':'a'}]}  | .map: duplicate entries for key [name="a",protocol="TCP"]
          {'set':['a','a']}                    | .set: duplicate entries for key [="a"]
          {'atoms':{}}                         | .atoms: expected list, got &{map[]}
          {'atoms':{'b':1,'a':['x',null]}}     | .atoms: expected list, got &{map[a:[x <nil>] b:1]}
          {'whole':300}                        | .whole: expected map, got &{300}
          {'labels':['a','b']}                 | .labels: expected map, got &{[a b]}
          {'labels':{'x':10}}                  | .labels.x: expected string, got &value.valueUnstructured{Value:10}
          {'labels':{'x':{'y':['z',1.5]}}}     | .labels.x: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"y":[]interface {}{"z", 1.5}}}
          {'port':{'a':'b'}}                   | .port: expected any scalar, got &{map[a:b]}
          {'ok':'yes'}                         | .ok: expected boolean, got &{yes}
          {'open':{'a':1},'any':[1],'port':1}  | ``
          {'atoms':['a','a'],'whole':{'a':'b'}}| ``
          """)
  void configurations_areChecked(String configuration, String problem) {
    assertThat(ConfigurationCheck.of(SCHEMA, tree(configuration)))
        .isEqualTo(problem == null ? "" : problem);
  }
}
