package dev.keelson.registry.write;

import dev.keelson.admission.Admission;
import dev.keelson.registry.Defaulting;
import dev.keelson.registry.ObjectRules;
import dev.keelson.registry.Strategies;
import dev.keelson.registry.fieldmanager.FieldManagement;

/**
 * What a write goes through between its decoding and the store, in this order: defaults in the
 * version of the request, bookkeeping of managed fields, admission that changes, the strategy of
 * the kind, validation, admission that only looks.
 *
 * @param strategies what is special about kinds
 */
public record WriteSteps(
    Defaulting defaulting,
    FieldManagement fields,
    Admission admission,
    Strategies strategies,
    ObjectRules rules) {}
