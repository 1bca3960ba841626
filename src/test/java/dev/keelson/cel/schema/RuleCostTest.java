package dev.keelson.cel.schema;

import static dev.keelson.cel.schema.RuleSamples.list;
import static dev.keelson.cel.schema.RuleSamples.map;
import static dev.keelson.cel.schema.RuleSamples.mapList;
import static dev.keelson.cel.schema.RuleSamples.mapOf;
import static dev.keelson.cel.schema.RuleSamples.object;
import static dev.keelson.cel.schema.RuleSamples.rule;
import static dev.keelson.cel.schema.RuleSamples.set;
import static dev.keelson.cel.schema.RuleSamples.text;
import static dev.keelson.cel.schema.RuleSamples.type;
import static dev.keelson.cel.schema.RuleSamples.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rules cost when they are evaluated, as cel-go and Kubernetes' libraries count. */
@Timeout(120)
class RuleCostTest {

  private static final MapNode SCHEMA =
      object(
          "i", type("integer"),
          "j", type("integer"),
          "n", type("number"),
          "o", type("number"),
          "s", type("string"),
          "s2", type("string"),
          "short", type("string"),
          "b", type("boolean"),
          "bytes", text("byte"),
          "bytes2", text("byte"),
          "span", text("duration"),
          "day", text("date"),
          "dayText", type("string"),
          "time", text("date-time"),
          "timeText", type("string"),
          "l", list(type("integer")),
          "l2", list(type("integer")),
          "eight", list(type("integer")),
          "five", list(type("integer")),
          "set", set(type("string")),
          "set2", set(type("string")),
          "maps", list(mapList(object("k", type("string"), "v", type("string")), "k")),
          "map", mapOf(type("integer")),
          "texts", mapOf(type("string")),
          "keyed",
              mapList(object("k", type("string"), "v", type("string"), "x", type("string")), "k"),
          "a",
              object(
                  "b",
                  type("integer"),
                  "c",
                  type("integer"),
                  "d",
                  map("type", "integer", "nullable", true)),
          "deep", object("b", object("c", type("integer")), "d", object("e", type("integer"))),
          "embedded", map("type", "object", "x-kubernetes-embedded-resource", true),
          "either", map("x-kubernetes-int-or-string", true),
          "one", map("x-kubernetes-int-or-string", true),
          "nothing", map("x-kubernetes-int-or-string", true, "nullable", true),
          "nulls", mapOf(map("type", "string", "nullable", true)),
          "unknown", map("type", "object", "x-kubernetes-preserve-unknown-fields", true),
          "unknowns",
              list(
                  map(
                      "type",
                      "object",
                      "x-kubernetes-preserve-unknown-fields",
                      true,
                      "properties",
                      map("known", type("integer")))));

  private static final MapNode VALUE =
      map(
          "i",
          Long.MAX_VALUE,
          "j",
          Long.MAX_VALUE,
          "n",
          10.5,
          "o",
          10,
          "s",
          "Rook takes 👑",
          "s2",
          "Rook takes 👑",
          "short",
          "10",
          "b",
          true,
          "bytes",
          "QUI=",
          "bytes2",
          "MTA=",
          "span",
          "1h2m3s4ms",
          "day",
          "2011-08-18",
          "dayText",
          "2011-08-18T00:00:00Z",
          "time",
          "2011-08-18T19:03:37.01+01:00",
          "timeText",
          "2011-08-18T19:03:37.01+01:00",
          "l",
          List.of(1, 2, 3),
          "l2",
          List.of(1, 2, 3),
          "eight",
          List.of(1, 1, 2, 2, 3, 3, 4, 5),
          "five",
          List.of(1, 2, 3, 4, 5),
          "set",
          List.of("a", "b", "c"),
          "set2",
          List.of("a", "c", "b"),
          "maps",
          List.of(
              List.of(map("k", "a", "v", "1"), map("k", "b", "v", "2")),
              List.of(map("k", "b", "v", "2"), map("k", "a", "v", "1")),
              List.of(map("k", "b", "v", "3"), map("k", "a", "v", "1")),
              List.of(map("k", "c", "v", "4"))),
          "map",
          map("b", 1, "d", 2),
          "texts",
          map("k1", "a", "k2", "b"),
          "keyed",
          List.of(
              map("k", "a1", "v", "b1"),
              map("k", "a2", "v", "b2"),
              map("k", "a3", "v", "b3", "x", "z")),
          "a",
          map("b", 1, "d", Node.Null.NULL),
          "deep",
          map("b", map("c", 4)),
          "embedded",
          map(
              "apiVersion",
              "v1",
              "kind",
              "Pod",
              "metadata",
              map("name", "foo", "generateName", "pickItForMe")),
          "either",
          "25%",
          "one",
          1,
          "nothing",
          Node.Null.NULL,
          "nulls",
          map("a", Node.Null.NULL, "b", "x"),
          "unknown",
          map("a", 1),
          "unknowns",
          List.of(map("known", 1, "u", "a"), map("known", 1, "u", "b"), map(), map()));

  @ParameterizedTest(name = "{0} costs {1}")
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      textBlock =
          """
          self.i == 9223372036854775807 && 9223372036854775807 == self.i && self.i == self.j # 11
          self.i == self.j                              # 5
          type(self.i) == int                           # 4
          type(self.o) == double                        # 4
          self.o == 10.0                                # 3
          double(self.i) > self.n                       # 6
          self.i > int(self.n)                          # 6
          double(5) < 10.0                              # 1
          5 < int(10.0)                                 # 1
          double(self.i) > 10.0                         # 4
          self.s == 'Rook takes 👑' && 'Rook takes 👑' == self.s && self.s == self.s2 # 14
          self.s.startsWith('Rook')                     # 4
          !self.s.startsWith('knight')                  # 5
          self.s.matches('^[^0-9]*$')                   # 8
          !self.s.matches('^[0-9]*$')                   # 7
          type(self.s) == string                        # 4
          size(self.s) == 12                            # 4
          self.s.charAt(3) == 'k'                       # 4
          self.s.indexOf('o') == 1                      # 4
          self.s.indexOf('o', 2) == 2                   # 4
          self.s.replace(' ', 'x') == 'Rookxtakesx👑'   # 7
          self.s.replace(' ', 'x', 1) == 'Rookxtakes 👑' # 7
          self.s.split(' ') == ['Rook', 'takes', '👑']  # 6
          self.s.split(' ', 2) == ['Rook', 'takes 👑']  # 6
          self.s.substring(5) == 'takes 👑'             # 5
          self.s.substring(0, 4) == 'Rook'              # 5
          self.s.substring(4, 10).trim() == 'takes'     # 6
          self.s.upperAscii() == 'ROOK TAKES 👑'        # 6
          self.s.lowerAscii() == 'rook takes 👑'        # 6
          self.bytes == b'AB'                           # 3
          self.bytes != self.bytes2                     # 5
          type(self.bytes) == bytes                     # 4
          size(self.bytes) == 2                         # 4
          self.b == true && true == self.b              # 6
          self.span == duration('1h2m') + duration('3s4ms') # 4
          self.span.getHours() == 1                     # 4
          type(self.span) == google.protobuf.Duration   # 4
          self.day.getDate() == 18                      # 4
          self.time == timestamp('2011-08-18T00:00:00.000+01:00') + duration('19h3m37s10ms') # 4
          self.time.getDate('01:00') == 18              # 4
          self.short in ['10', 'b']                     # 2
          bytes(self.short) == self.bytes2              # 6
          string(self.n) == '10.5'                      # 4
          string(self.bytes2) == self.short             # 6
          timestamp(self.timeText) == self.time         # 6
          string(self.time) == self.timeText            # 8
          timestamp(self.dayText) == self.day           # 6
          string(self.day) == self.dayText              # 7
          1 in self.l                                   # 5
          self.l2[0] in self.l                          # 8
          !(0 in self.l)                                # 6
          self.l + self.l2 == [1, 2, 3, 1, 2, 3]        # 6
          self.l + [4, 5] == [1, 2, 3, 4, 5]            # 4
          self.set == ['c', 'b', 'a']                   # 3
          self.set == self.set2                         # 5
          'a' in self.set                               # 5
          self.set2[0] in self.set                      # 8
          self.set + self.set2 == ['a', 'b', 'c']       # 6
          self.set + ['c', 'd'] == ['a', 'b', 'c', 'd'] # 4
          self.maps[0] == self.maps[1]                  # 7
          self.maps[0] + self.maps[2] == self.maps[2]   # 11
          self.maps[0] == [self.maps[0][0], self.maps[0][1]] # 22
          self.maps[2] + [self.maps[0][0], self.maps[0][1]] == self.maps[0] # 26
          size(self.maps[0] + [self.maps[3][0]]) == 3   # 20
          self.texts == {'k1': 'a', 'k2': 'b'}          # 3
          'k1' in self.texts                            # 3
          has(self.a.b)                                 # 2
          has(self.deep.b.c)                            # 3
          !(has(self.deep.d) && has(self.deep.d.e))     # 3
          !has(self.deep.d)                             # 3
          !has(self.map.a)                              # 3
          self.map.all(k, self.map[k] > 0)              # 17
          self.map.exists_one(k, self.map[k] == 2)      # 14
          !self.map.exists_one(k, self.map[k] > 0)      # 17
          size(self.map.filter(k, self.map[k] > 1)) == 1 # 26
          has(self.keyed[0].v)                          # 3
          self.keyed.all(m, m.k.startsWith('a'))        # 21
          self.keyed.all(m, !has(m.x) || m.x == 'z')    # 21
          self.keyed.exists(m, m.k.endsWith('1'))       # 13
          self.keyed.exists_one(m, m.k == 'a3')         # 15
          !self.keyed.all(m, m.k.endsWith('1'))         # 18
          !self.keyed.exists(m, m.v == 'x')             # 25
          !self.keyed.exists_one(m, m.k.startsWith('a')) # 20
          size(self.keyed.filter(m, m.k == 'a1')) == 1  # 27
          self.keyed.exists(m, m.k == 'a1' && m.v == 'b1') # 16
          self.keyed.map(m, m.v).exists(v, v == 'b1')   # 55
          self.keyed.exists(m, has(m.x) && m.x == 'z')  # 21
          !self.keyed.all(m, has(m.x) && m.x != 'z')    # 10
          self.keyed.exists_one(m, has(m.x) && m.x == 'z') # 12
          self.keyed.filter(m, has(m.x) && m.x == 'z').size() == 1 # 24
          self.keyed.map(m, has(m.x) && m.x == 'z', m.x).size() == 1 # 25
          self.keyed.filter(m, has(m.x) && m.x == 'z').map(m, m.x).size() == 1 # 39
          self.keyed.exists(m, m.x == 'z')              # 24
          !self.keyed.all(m, m.x != 'z')                # 22
          2 in self.eight                               # 10
          self.eight.all(e, e > 0)                      # 43
          self.eight.exists(e, e > 2)                   # 36
          self.eight.exists_one(e, e > 4)               # 22
          !self.eight.all(e, e < 2)                     # 21
          !self.eight.exists(e, e < 0)                  # 52
          size(self.eight.filter(e, e%2 == 0)) == 3     # 68
          self.eight.map(e, e * 20).filter(e, e > 50).exists(e, e == 60) # 194
          self.five.map(e, e * 20).filter(e, e > 50).exists_one(e, e == 60) # 133
          self.embedded.metadata.generateName == 'pickItForMe' # 6
          self.embedded.kind == 'Pod'                   # 4
          type(self.either) == int ? self.either == 1 : self.either == '25%' # 7
          type(self.either) == string && self.either == '25%' # 7
          self.either == 1 || self.either == '25%'      # 6
          self.either == '25%' || self.either == 1      # 3
          self.either != ['anything']                   # 3
          self.one == 1 || self.one == '25%'            # 3
          !has(self.nothing)                            # 2
          type(self.either) == string && self.either.matches(r'(\\d+(\\.\\d+)?%)') # 10
          type(self.either) == int ? self.one <= self.either : double(self.one) / double(self.one) >= double(self.either.replace('%', '')) / 100.0 # 17
          has(self.unknown)                             # 1
          self.unknowns[0] != self.unknowns[1]          # 7
          self.unknowns[2] == self.unknowns[3]          # 6
          self.nulls.size() == 2                        # 4
          type(self.nulls['a']) == null_type            # 5
          type(self) == type(self)                      # 5
          self.keyed.exists(e, e.k == 'a1' && e.v == 'b1') # 16
          self.maps[3].exists(e, e.k == 'c' && e.v == '4') # 14
          optional.of('a') != optional.of('b')          # 3
          optional.of('a') != optional.none()           # 3
          optional.of('a').hasValue()                   # 2
          optional.of('a').or(optional.of('a')).hasValue() # 2
          optional.none().or(optional.of('a')).hasValue() # 3
          self.a.?b == optional.of(1)                   # 5
          self.a.?c == optional.none()                  # 4
          self.a.?b.orValue(2) == 1                     # 4
          self.texts[?'k1'] == optional.of('a')         # 5
          self.l[?0] == optional.of(1)                  # 5
          optional.ofNonZeroValue(1).hasValue()         # 2
          isQuantity(self.short)                        # 3
          isQuantity('200M')                            # 1
          quantity('200M') == quantity('0.2G') && quantity('0.2G') == quantity('200M') # 6
          quantity(self.short).isLessThan(quantity(self.short)) == false # 8
          quantity('50k').add(quantity('20')) == quantity('50.02k') # 5
          quantity('50k').sub(20) == quantity('49980')  # 4
          format.named('dns1123Subdomain').value().validate('my-name') == optional.none() # 19
          format.dns1123Label().validate('my-name') == optional.none() # 11
          [1, 2, 3, 4].isSorted()                       # 4
          self.l.sort() == [1, 2, 3]                    # 32
          self.set.sort() == ['a', 'b', 'c']            # 32
          self.l.reverse() == [3, 2, 1]                 # 17
          self.l.slice(0, 2) == [1, 2]                  # 16
          self.eight.distinct() == [1, 2, 3, 4, 5]      # 142
          self.l.sortBy(e, -e) == [3, 2, 1]             # 77
          lists.range(3) == [0, 1, 2]                   # 15
          [[1, 2], [3]].flatten() == [1, 2, 3]          # 14
          [[1], [2]].flatten(2) == [1, 2]               # 16
          url('https:://kubernetes.io/').getHostname() != 'test' # 4
          size('abc 123 def 123'.split(' ')) > 0        # 5
          size(['aa', 'bb', 'cc', 'd', 'e', 'f', 'g', 'h', 'i', 'j'].join(' ')) > 0 # 7
          ip('192.168.0.1') == ip('192.168.0.1')        # 5
          cidr('192.168.0.0/16').containsIP('192.169.0.1') == false # 6
          """)
  void rule_costsWhatItDoesInKubernetes(String rule, long cost) {
    SchemaRules rules = SchemaRules.of(StructuralSchema.of(withRules(SCHEMA, rule(rule))));

    assertThat(rules.validate(VALUE, null, cost).causes()).isEmpty();
    assertThat(rules.validate(VALUE, null, cost - 1).causes())
        .extracting(FieldCause::message)
        .containsExactly(
            "Invalid value: \"object\": validation failed due to running out of cost budget, no"
                + " further validation rules will be run");
  }
}
