package main

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// encode converts a CEL value to JSON: bytes to base64, durations, timestamps and other named types to text, an optional
// to a list of at most one value under "optional", a map with keys that are not strings to pairs under "pairs".
func encode(v ref.Val) any {
	switch v := v.(type) {
	case types.Null:
		return nil
	case types.Bool:
		return bool(v)
	case types.Int:
		return int64(v)
	case types.Uint:
		return uint64(v)
	case types.Double:
		if f := float64(v); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return f
		}
		return fmt.Sprint(float64(v))
	case types.String:
		return string(v)
	case types.Bytes:
		return base64.StdEncoding.EncodeToString(v)
	case *types.Type:
		return normalized(v.TypeName())
	case *types.Optional:
		if !v.HasValue() {
			return map[string]any{"optional": []any{}}
		}
		return map[string]any{"optional": []any{encode(v.GetValue())}}
	case apiservercel.Format:
		return v.Name
	case *apiservercel.Format:
		return v.Name
	case *types.Err:
		return normalized(v.Error())
	case traits.Lister:
		list := []any{}
		for it := v.Iterator(); it.HasNext() == types.True; {
			list = append(list, encode(it.Next()))
		}
		return list
	case traits.Mapper:
		return encodeMap(v)
	}
	if text, ok := v.ConvertToType(types.StringType).(types.String); ok {
		return string(text)
	}
	return fmt.Sprint(v.Value())
}

func encodeMap(v traits.Mapper) any {
	object, pairs := map[string]any{}, []any{}
	for it := v.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		value := encode(v.Get(key))
		if name, ok := key.(types.String); ok {
			object[string(name)] = value
		}
		pairs = append(pairs, []any{encode(key), value})
	}
	if len(object) == len(pairs) {
		return object
	}
	slices.SortFunc(pairs, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return map[string]any{"pairs": pairs}
}
