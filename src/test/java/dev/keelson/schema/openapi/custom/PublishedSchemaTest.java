package dev.keelson.schema.openapi.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is declared, and what the two versions of OpenAPI show of it; JSON with single quotes. */
@Timeout(60)
class PublishedSchemaTest {

  private static final ObjectFields FIELDS =
      new ObjectFields(
          MapNode.of("title", Node.text("A")),
          MapNode.of("title", Node.text("K")),
          MapNode.of("title", Node.text("M")));

  private static final String OBJECT_FIELDS =
      "'apiVersion':{'title':'A'},'kind':{'title':'K'},'metadata':{'title':'M'}";

  private static MapNode expected(String json) {
    return CustomTypes.tree(json.replace("FIELDS", OBJECT_FIELDS));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'string','minLength':1,'maxLength':2,'pattern':'a','format':'date'} # {'type':'string','minLength':1,'maxLength':2,'pattern':'a','format':'date'}
          {'type':'number','minimum':0,'maximum':2.5,'exclusiveMinimum':true,'exclusiveMaximum':false,'multipleOf':0.5} # {'type':'number','minimum':0,'maximum':2.5,'exclusiveMinimum':true,'multipleOf':0.5}
          {'type':'array','items':{'type':'string'},'minItems':1,'maxItems':2,'uniqueItems':false,'x-kubernetes-list-type':'set'} # {'type':'array','items':{'type':'string'},'minItems':1,'maxItems':2,'x-kubernetes-list-type':'set'}
          {'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':{'type':'object'}} # {'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':{'type':'object'}}
          {'type':'object','additionalProperties':{'type':'integer'},'minProperties':1,'maxProperties':2} # {'type':'object','additionalProperties':{'type':'integer'},'minProperties':1,'maxProperties':2}
          {'type':'object','additionalProperties':true} # {'type':'object','additionalProperties':true}
          {'type':'object','additionalProperties':false} # {'type':'object','additionalProperties':false}
          {'type':'object','properties':{},'required':[]} # {'type':'object'}
          {'type':'object','properties':{'b':{'type':'string'},'a':{}},'required':['a']} # {'type':'object','properties':{'a':{},'b':{'type':'string'}},'required':['a']}
          {'type':'object','x-kubernetes-map-type':'atomic','x-kubernetes-validations':[{'rule':'true'}]} # {'type':'object','x-kubernetes-map-type':'atomic','x-kubernetes-validations':[{'rule':'true'}]}
          {'type':'string','enum':['a','b'],'title':'t','description':'d','externalDocs':{'url':'u'}} # {'type':'string','enum':['a','b'],'title':'t','description':'d','externalDocs':{'url':'u'}}
          {'type':'object','x-kubernetes-preserve-unknown-fields':false,'nullable':false,'example':{'a':1},'$schema':'s','id':'i'} # {'type':'object'}
          """)
  void keywordsOfBothVersions(String declared, String shown) {
    MapNode schema = CustomTypes.tree(declared);

    assertThat(PublishedSchema.v3(schema, FIELDS)).isEqualTo(expected(shown));
    assertThat(PublishedSchema.v2(schema, FIELDS)).isEqualTo(expected(shown));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'string','nullable':true,'default':'x'} # {'type':'string','nullable':true,'default':'x'} # {}
          {'type':'string','default':null} # {'type':'string'} # {'type':'string'}
          {'type':'object','nullable':true,'properties':{'a':{'type':'string'}}} # {'type':'object','nullable':true,'properties':{'a':{'type':'string'}}} # {}
          {'type':'array','nullable':true,'items':{'type':'string'}} # {'type':'array','nullable':true,'items':{'type':'string'}} # {}
          {'type':'array'} # {'type':'array'} # {}
          {'type':'object','x-kubernetes-preserve-unknown-fields':true,'properties':{'a':{'type':'string'}}} # {'type':'object','x-kubernetes-preserve-unknown-fields':true,'properties':{'a':{'type':'string'}}} # {'x-kubernetes-preserve-unknown-fields':true}
          {'x-kubernetes-preserve-unknown-fields':true} # {'x-kubernetes-preserve-unknown-fields':true} # {'x-kubernetes-preserve-unknown-fields':true}
          {'type':'array','items':{'type':'object','x-kubernetes-preserve-unknown-fields':true}} # {'type':'array','items':{'type':'object','x-kubernetes-preserve-unknown-fields':true}} # {'type':'array','items':{'x-kubernetes-preserve-unknown-fields':true}}
          {'type':'object','required':['a','b'],'properties':{'a':{'type':'string','nullable':true},'b':{'type':'string'}}} # {'type':'object','required':['a','b'],'properties':{'a':{'type':'string','nullable':true},'b':{'type':'string'}}} # {'type':'object','required':['b'],'properties':{'a':{},'b':{'type':'string'}}}
          {'type':'object','required':['a'],'additionalProperties':{'type':'string','nullable':true}} # {'type':'object','required':['a'],'additionalProperties':{'type':'string','nullable':true}} # {'type':'object','additionalProperties':{}}
          {'type':'object','oneOf':[{'required':['a']}],'anyOf':[{'required':['b']}],'allOf':[{'required':['c']}],'not':{'required':['d']}} # {'type':'object','oneOf':[{'required':['a']}],'anyOf':[{'required':['b']}],'allOf':[{'required':['c']}],'not':{'required':['d']}} # {'type':'object'}
          {'x-kubernetes-int-or-string':true} # {'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]} # {'x-kubernetes-int-or-string':true}
          {'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]} # {'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]} # {'x-kubernetes-int-or-string':true}
          {'x-kubernetes-int-or-string':true,'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]},{'minimum':4}]} # {'x-kubernetes-int-or-string':true,'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]},{'minimum':4}]} # {'x-kubernetes-int-or-string':true}
          {'x-kubernetes-int-or-string':true,'anyOf':[{'minimum':4}]} # {'x-kubernetes-int-or-string':true,'anyOf':[{'minimum':4}],'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]}]} # {'x-kubernetes-int-or-string':true}
          {'x-kubernetes-int-or-string':true,'anyOf':[{'minimum':4}],'allOf':[{'maximum':9}]} # {'x-kubernetes-int-or-string':true,'anyOf':[{'minimum':4}],'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]},{'maximum':9}]} # {'x-kubernetes-int-or-string':true}
          {'type':'object','x-kubernetes-embedded-resource':true,'properties':{'spec':{'type':'object'}}} # {'type':'object','x-kubernetes-embedded-resource':true,'required':['kind','apiVersion'],'properties':{'spec':{'type':'object'},FIELDS}} # {'type':'object','x-kubernetes-embedded-resource':true,'required':['kind','apiVersion'],'properties':{'spec':{'type':'object'},FIELDS}}
          {'type':'object','x-kubernetes-embedded-resource':true,'x-kubernetes-preserve-unknown-fields':true,'required':['apiVersion']} # {'type':'object','x-kubernetes-embedded-resource':true,'x-kubernetes-preserve-unknown-fields':true,'required':['apiVersion','kind'],'properties':{FIELDS}} # {'x-kubernetes-embedded-resource':true,'x-kubernetes-preserve-unknown-fields':true,'required':['apiVersion']}
          {'type':'object','properties':{'p':{'type':'array','items':{'type':'object','nullable':true,'default':{}}}}} # {'type':'object','properties':{'p':{'type':'array','items':{'type':'object','nullable':true,'default':{}}}}} # {'type':'object','properties':{'p':{'type':'array','items':{}}}}
          """)
  void keywordsThatDiffer(String declared, String v3, String v2) {
    MapNode schema = CustomTypes.tree(declared);

    assertThat(PublishedSchema.v3(schema, FIELDS)).isEqualTo(expected(v3));
    assertThat(PublishedSchema.v2(schema, FIELDS)).isEqualTo(expected(v2));
  }
}
