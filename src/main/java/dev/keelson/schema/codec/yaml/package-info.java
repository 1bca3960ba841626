/**
 * YAML as sigs.k8s.io/yaml on go-yaml v2 reads and writes it: the scalars of YAML 1.1, aliases with
 * a bound, keys sorted on output. Documents become JSON trees; the schema is applied to those.
 * Begin with {@link dev.keelson.schema.codec.yaml.YamlDocument} and {@link
 * dev.keelson.schema.codec.yaml.YamlOutput}.
 */
@NullMarked
package dev.keelson.schema.codec.yaml;

import org.jspecify.annotations.NullMarked;
